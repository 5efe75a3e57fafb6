import { useId } from 'react';
import { Untrusted } from '../../widgets/untrusted.tsx';
import { SettingChoices } from './setting-choices.tsx';
import { defaultWords, meaningOf, type SettingField, type SettingInputProps } from './setting-fields.ts';
import { SettingLimit } from './setting-limit.tsx';

const inputModes: Record<SettingField['kind'], 'decimal' | 'numeric' | 'url' | 'none'> = {
	number: 'decimal',
	limit: 'numeric',
	cap: 'decimal',
	port: 'numeric',
	address: 'url',
	switch: 'none',
	choice: 'none',
};

const placeholders: Partial<Record<SettingField['kind'], string>> = { cap: 'no cap', address: 'none' };

/** One setting: label, meaning, unit, default, and what is wrong with it. */
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
			<div className="setting-words">
				<label htmlFor={id}>{field.label}</label>
				<p id={meaningId} className="soft">
					{field.meaning ?? meaningOf(field.path)}. {field.note}{' '}
					<span className="quiet nowrap">Default: {defaultWords(field)}.</span>
				</p>
			</div>
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
							inputMode={inputModes[field.kind]}
							autoComplete="off"
							spellCheck={false}
							placeholder={placeholders[field.kind] ?? ''}
							value={value}
							onChange={(event) => onChange(event.currentTarget.value)}
							{...described}
						/>
						<span className="quiet">{field.unit}</span>
					</>
				)}
			</div>
			{problem !== '' && (
				<p id={problemId} className="setting-problem" role="alert">
					<Untrusted text={problem} />
				</p>
			)}
		</div>
	);
}
