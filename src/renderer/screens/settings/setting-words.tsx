/** What is said of a setting beside its field. */
import { Untrusted } from '../../widgets/untrusted.tsx';
import { defaultWords, holdsWords, meaningOf, type SettingField } from './setting-fields.ts';

interface SettingWordsProps {
	field: SettingField;
	fieldId: string;
	meaningId: string;
	/** The field has the default in it. */
	isDefault: boolean;
	onDefault: () => void;
}

export function SettingWords({ field, fieldId, meaningId, isDefault, onDefault }: SettingWordsProps) {
	return (
		<div className="setting-words">
			<label htmlFor={fieldId}>{field.label}</label>
			<div id={meaningId}>
				<SettingMeaning field={field} />
			</div>
			{!isDefault && <BackToDefault field={field} onDefault={onDefault} />}
		</div>
	);
}

/** Its meaning, its default, and when a change holds where its section does not say so. */
export function SettingMeaning({ field }: { field: SettingField }) {
	return (
		<p className="soft">
			{field.meaning ?? meaningOf(field.path)}. {field.note}{' '}
			<span className="quiet">
				<span className="nowrap">Default: {defaultWords(field)}.</span>
				{field.holds === 'start' && ` ${holdsWords.start}`}
			</span>
		</p>
	);
}

export function BackToDefault({ field, onDefault }: Pick<SettingWordsProps, 'field' | 'onDefault'>) {
	return (
		<button
			type="button"
			className="button button-bare setting-default"
			aria-label={`Back to ${defaultWords(field)}, the default of ${field.label}`}
			onClick={onDefault}
		>
			Back to {defaultWords(field)}
		</button>
	);
}

export function SettingProblem({ id, problem }: { id: string; problem: string }) {
	if (problem === '') return null;
	return (
		<p id={id} className="setting-problem" role="alert">
			<Untrusted text={problem} />
		</p>
	);
}
