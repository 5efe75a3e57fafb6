/** One setting: label, meaning, when it holds, unit, default and the way back to it, what is wrong with it. */
import { useId } from 'react';
import { SettingChoices } from './setting-choices.tsx';
import { defaultDraft } from './setting-draft.ts';
import type { SettingField, SettingInputProps } from './setting-fields.ts';
import { SettingLimit } from './setting-limit.tsx';
import { SettingProblem, SettingWords } from './setting-words.tsx';

const inputModes: Record<SettingField['kind'], 'decimal' | 'numeric' | 'url' | 'none'> = {
	number: 'decimal',
	limit: 'numeric',
	cap: 'decimal',
	port: 'numeric',
	address: 'url',
	switch: 'none',
	choice: 'none',
	time: 'none',
};

const placeholders: Partial<Record<SettingField['kind'], string>> = { cap: 'no cap', address: 'none' };

export function SettingInput({ field, value, problem, onChange }: SettingInputProps) {
	if (field.kind === 'choice') return <SettingChoices field={field} value={value} onChange={onChange} />;
	if (field.kind === 'limit') return <SettingLimit {...{ field, value, problem, onChange }} />;
	return <SettingValue field={field} value={value} problem={problem} onChange={onChange} />;
}

function SettingValue({ field, value, problem, onChange }: SettingInputProps) {
	const id = useId();
	const meaningId = useId();
	const problemId = useId();
	const described = {
		'aria-describedby': problem === '' ? meaningId : `${meaningId} ${problemId}`,
		'aria-invalid': problem !== '',
	};
	return (
		<div className="setting" data-setting={field.path}>
			<SettingWords
				field={field}
				fieldId={id}
				meaningId={meaningId}
				isDefault={value === defaultDraft(field)}
				onDefault={() => onChange(defaultDraft(field))}
			/>
			<div className="setting-value">
				{typeof value === 'boolean' ? (
					<input
						id={id}
						type="checkbox"
						className="switch"
						checked={value}
						onChange={(event) => onChange(event.currentTarget.checked)}
						{...described}
					/>
				) : (
					<>
						<input
							id={id}
							className={field.kind === 'address' ? 'field field-wide' : 'field'}
							type={field.kind === 'time' ? 'time' : 'text'}
							inputMode={inputModes[field.kind]}
							autoComplete="off"
							spellCheck={false}
							placeholder={placeholders[field.kind] ?? ''}
							value={value}
							onChange={(event) => onChange(event.currentTarget.value)}
							{...described}
						/>
						<span className="quiet">{field.unit}</span>
						{field.kind === 'time' && value !== '' && (
							<button
								type="button"
								className="button button-bare"
								aria-label={`No ${field.label.toLowerCase()}`}
								onClick={() => onChange('')}
							>
								None
							</button>
						)}
					</>
				)}
			</div>
			<SettingProblem id={problemId} problem={problem} />
		</div>
	);
}
