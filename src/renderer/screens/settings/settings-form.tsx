import { type FormEvent, useState } from 'react';
import type { ChannelErrorData } from '../../../shared/channels.ts';
import type { Settings } from '../../../shared/settings.ts';
import { channelErrorOf } from '../../transport/transport-errors.ts';
import { Failure } from '../../widgets/failure.tsx';
import { type Draft, draftOf, fieldOfError, readDraft, settingGroups } from './setting-fields.ts';
import { SettingInput } from './setting-input.tsx';

interface SettingsFormProps {
	settings: Settings;
	/** Rejects with a `ChannelError` when the engine refuses. */
	update: (patch: Record<string, unknown>) => Promise<void>;
}

export function SettingsForm({ settings, update }: SettingsFormProps) {
	const [edits, setEdits] = useState<Draft>({});
	const [refusal, setRefusal] = useState<{ error: ChannelErrorData; path: string | null } | null>(null);
	const [saved, setSaved] = useState(false);
	const draft = { ...draftOf(settings), ...edits };
	const { patch, changed, problems } = readDraft(draft, settings);
	const unreadable = Object.keys(problems).length > 0;
	const edit = (path: string, value: string | boolean) => {
		setEdits({ ...edits, [path]: value });
		setSaved(false);
		if (refusal?.path === path) setRefusal(null);
	};
	const save = async (event: FormEvent) => {
		event.preventDefault();
		if (unreadable || changed.length === 0) return;
		setRefusal(null);
		try {
			await update(patch);
			setEdits({});
			setSaved(true);
		} catch (cause) {
			const error = channelErrorOf(cause);
			setRefusal({ error, path: fieldOfError(error, changed) });
		}
	};
	return (
		<form className="settings-form" onSubmit={save} noValidate>
			{settingGroups.map(({ title, fields }) => (
				<fieldset key={title} className="setting-group">
					<legend>{title}</legend>
					{fields.map((field) => (
						<SettingInput
							key={field.path}
							field={field}
							value={draft[field.path] ?? ''}
							problem={problems[field.path] ?? (refusal?.path === field.path ? refusal.error.message : '')}
							onChange={(value) => edit(field.path, value)}
						/>
					))}
				</fieldset>
			))}
			{refusal && refusal.path === null && <Failure error={refusal.error} />}
			<div className="dialog-foot">
				<output className="quiet settings-saved">{saved && changed.length === 0 ? 'Saved.' : ''}</output>
				<button
					type="submit"
					className="button button-large button-main"
					disabled={changed.length === 0 || unreadable}
				>
					Save
				</button>
			</div>
		</form>
	);
}
