/** One of a few: each choice with what it means, in one sentence. */
import { useId } from 'react';
import { defaultSettings } from '../../../shared/settings.ts';
import { type SettingField, valueAt } from './setting-fields.ts';
import { BackToDefault, SettingMeaning } from './setting-words.tsx';

interface SettingChoicesProps {
	field: SettingField;
	value: string | boolean;
	onChange: (value: string) => void;
}

export function SettingChoices({ field, value, onChange }: SettingChoicesProps) {
	const name = useId();
	const standard = String(valueAt(defaultSettings, field.path));
	return (
		<fieldset className="setting-choices" data-setting={field.path}>
			<legend>{field.label}</legend>
			<SettingMeaning field={field} />
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
			{value !== standard && <BackToDefault field={field} onDefault={() => onChange(standard)} />}
		</fieldset>
	);
}
