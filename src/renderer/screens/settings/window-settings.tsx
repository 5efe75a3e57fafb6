/** What this window remembers by itself. It holds at once and is kept in this browser or app only. */
import { useFloorContext, useView } from '../../store/floor-context.tsx';
import type { FloorLook, Grouping, Preferences, Theme } from '../../store/preferences.ts';

const themes: readonly Choice<Theme>[] = [
	['system', 'As the system'],
	['dark', 'Dark'],
	['light', 'Light'],
];
const looks: readonly Choice<FloorLook>[] = [
	['list', 'A list, with plates for what asks for attention'],
	['cards', 'Cards'],
];
const groupings: readonly Choice<Grouping>[] = [
	['need', 'By what they need'],
	['repository', 'By repository'],
];

export function WindowSettings() {
	const { view } = useFloorContext();
	const { theme, look, grouping, singleKeys } = useView((state) => state.preferences);
	const put = (change: Partial<Preferences>) =>
		view.setState(({ preferences }) => ({ preferences: { ...preferences, ...change } }));
	return (
		<>
			<p className="quiet setting-holds">Kept in this window only, and at once.</p>
			<WindowChoice
				name="theme"
				title="Theme"
				choices={themes}
				value={theme}
				onChange={(value) => put({ theme: value })}
			/>
			<WindowChoice
				name="look"
				title="The floor shows agents as"
				choices={looks}
				value={look}
				onChange={(value) => put({ look: value })}
			/>
			<WindowChoice
				name="grouping"
				title="The floor groups agents"
				choices={groupings}
				value={grouping}
				onChange={(value) => put({ grouping: value })}
			/>
			<label className="check window-line" data-setting="window.singleKeys">
				<input
					type="checkbox"
					checked={singleKeys}
					onChange={(event) => put({ singleKeys: event.currentTarget.checked })}
				/>
				<span>
					<strong>Letters, digits and signs act by themselves</strong>{' '}
					<span className="soft">Off: Ctrl+K, arrows, Enter, Tab and Esc only. Default: on.</span>
				</span>
			</label>
		</>
	);
}

type Choice<T extends string> = readonly [value: T, words: string];

interface WindowChoiceProps<T extends string> {
	name: string;
	title: string;
	/** The first is the default. */
	choices: readonly Choice<T>[];
	value: T;
	onChange: (value: T) => void;
}

function WindowChoice<T extends string>({ name, title, choices, value, onChange }: WindowChoiceProps<T>) {
	return (
		<fieldset className="setting-choices window-line" data-setting={`window.${name}`}>
			<legend>{title}</legend>
			{choices.map(([choice, words], at) => (
				<label key={choice} className="check">
					<input
						type="radio"
						name={`window-${name}`}
						checked={value === choice}
						onChange={() => onChange(choice)}
					/>
					<span>
						{words} {at === 0 && <span className="quiet">(default)</span>}
					</span>
				</label>
			))}
		</fieldset>
	);
}
