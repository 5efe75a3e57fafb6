/** One section of the settings: its fields, and beside a changed one what it would have done. */
import type { ReactNode } from 'react';
import type { Settings } from '../../../shared/settings.ts';
import { OFF } from './setting-draft.ts';
import { SettingEffect } from './setting-effect.tsx';
import { holdsWords, type SettingField, valueAt, valueWords } from './setting-fields.ts';
import { SettingInput } from './setting-input.tsx';
import type { SettingSection } from './setting-sections.ts';
import type { SettingsChange } from './settings-change.ts';

interface SectionFrameProps {
	section: SettingSection;
	children: ReactNode;
}

export function SectionFrame({ section: { id, title, fields }, children }: SectionFrameProps) {
	const holds = sectionHolds(fields);
	return (
		<section className="setting-group" aria-labelledby={`settings-${id}`} data-section={id}>
			<h3 id={`settings-${id}`} tabIndex={-1}>
				{title}
			</h3>
			{holds !== null && <p className="quiet setting-holds">{holds}</p>}
			{children}
		</section>
	);
}

/** When changes of a section hold; `null` where nothing of it is saved. Fields that wait for a new start say so themselves. */
function sectionHolds(fields: readonly SettingField[]): string | null {
	const usual = fields.find(({ holds }) => holds !== 'start');
	return usual === undefined ? null : `Changes here ${holdsWords[usual.holds]}`;
}

interface SettingFieldsProps {
	fields: readonly SettingField[];
	settings: Settings;
	change: SettingsChange;
	/** Why a value was refused, by path. */
	problems: Readonly<Record<string, string>>;
	onEdit: (path: string, value: string | boolean) => void;
}

export function SettingFields({ fields, settings, change, problems, onEdit }: SettingFieldsProps) {
	return fields.map((field) => {
		const { path } = field;
		const changed = change.changed.includes(path) && problems[path] === undefined;
		return (
			<div
				key={path}
				className={change.changed.includes(path) ? 'setting-line setting-changed' : 'setting-line'}
			>
				<SettingInput
					field={field}
					value={change.draft[path] ?? ''}
					problem={problems[path] ?? ''}
					onChange={(value) => onEdit(path, value)}
				/>
				{changed && field.replays && (
					<SettingEffect
						patch={patchOf(path, change)}
						from={valueWords(field, valueAt(settings, path))}
						to={draftWords(field, change)}
					/>
				)}
			</div>
		);
	});
}

/** The part of the change that is about one setting alone. */
function patchOf(path: string, { patch }: SettingsChange): Record<string, unknown> {
	return path
		.split('.')
		.reduceRight<unknown>((inner, name) => ({ [name]: inner }), valueIn(patch, path)) as Record<
		string,
		unknown
	>;
}

function draftWords(field: SettingField, { patch, draft }: SettingsChange): string {
	if (draft[field.path] === OFF && field.kind === 'limit') return OFF;
	return valueWords(field, valueIn(patch, field.path));
}

function valueIn(patch: Readonly<Record<string, unknown>>, path: string): unknown {
	let value: unknown = patch;
	for (const name of path.split('.')) {
		value = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
	}
	return value;
}
