/** A limit that can be switched off: the number, and a switch beside it. The number comes back with the switch. */
import { useId, useState } from 'react';
import { defaultSettings } from '../../../shared/settings.ts';
import { defaultDraft, OFF } from './setting-draft.ts';
import { type SettingInputProps, valueAt } from './setting-fields.ts';
import { SettingProblem, SettingWords } from './setting-words.tsx';

export function SettingLimit({ field, value, problem, onChange }: SettingInputProps) {
	const id = useId();
	const meaningId = useId();
	const problemId = useId();
	const off = value === OFF;
	// What stood there before it was switched off.
	const [number, setNumber] = useState(off ? String(valueAt(defaultSettings, field.path) ?? '') : value);
	return (
		<div className="setting" data-setting={field.path}>
			<SettingWords
				field={field}
				fieldId={id}
				meaningId={meaningId}
				isDefault={value === defaultDraft(field)}
				onDefault={() => onChange(defaultDraft(field))}
			/>
			<div className={off ? 'setting-value setting-value-off' : 'setting-value'}>
				<input
					id={id}
					className="field field-limit"
					inputMode="numeric"
					autoComplete="off"
					spellCheck={false}
					disabled={off}
					value={off ? '' : String(value)}
					placeholder="off"
					onChange={(event) => onChange(event.currentTarget.value)}
					aria-describedby={problem === '' ? meaningId : `${meaningId} ${problemId}`}
					aria-invalid={problem !== ''}
				/>
				<span className="quiet">{field.unit}</span>
				<label className="setting-off">
					<input
						type="checkbox"
						className="switch"
						checked={!off}
						aria-label={`${field.label} on`}
						onChange={(event) => {
							if (!event.currentTarget.checked) setNumber(value);
							onChange(event.currentTarget.checked ? String(number) : OFF);
						}}
					/>
					on
				</label>
			</div>
			<SettingProblem id={problemId} problem={problem} />
		</div>
	);
}
