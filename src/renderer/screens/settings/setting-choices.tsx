/** One of a few: each choice with what it means, in one sentence. */
import { useId } from 'react';
import { defaultWords, meaningOf, type SettingField } from './setting-fields.ts';

interface SettingChoicesProps {
	field: SettingField;
	value: string | boolean;
	onChange: (value: string) => void;
}

export function SettingChoices({ field, value, onChange }: SettingChoicesProps) {
	const name = useId();
	return (
		<fieldset className="setting-choices" data-setting={field.path}>
			<legend>{field.label}</legend>
			<p className="soft">
				{meaningOf(field.path)}. <span className="quiet nowrap">Default: {defaultWords(field)}.</span>
			</p>
			{(field.choices ?? []).map((choice) => (
				<label key={choice.value} className="check">
					<input
						type="radio"
						name={name}
						value={choice.value}
						checked={choice.value === value}
						onChange={() => onChange(choice.value)}
					/>
					<span>
						<strong>{choice.label}</strong> <span className="soft">{choice.meaning}</span>
					</span>
				</label>
			))}
		</fieldset>
	);
}
