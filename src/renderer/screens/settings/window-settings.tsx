/** What this window remembers by itself. It holds at once and is kept in this browser or app only. */
import { useFloorContext, useView } from '../../store/floor-context.tsx';
import type { Preferences, Theme } from '../../store/preferences.ts';

const themes: readonly (readonly [Theme, string])[] = [
	['system', 'As the system'],
	['dark', 'Dark'],
	['light', 'Light'],
];

export function WindowSettings() {
	const { view } = useFloorContext();
	const preferences = useView((state) => state.preferences);
	const put = (change: Partial<Preferences>) =>
		view.setState((state) => ({ preferences: { ...state.preferences, ...change } }));
	return (
		<>
			<p className="soft">
				Kept in this window only; it holds at once and is not part of what is saved below.
			</p>
			<fieldset className="setting-choices" data-setting="window.theme">
				<legend>Theme</legend>
				{themes.map(([theme, words]) => (
					<label key={theme} className="check">
						<input
							type="radio"
							name="window-theme"
							checked={preferences.theme === theme}
							onChange={() => put({ theme })}
						/>
						<span>{words}</span>
					</label>
				))}
			</fieldset>
			<label className="check" data-setting="window.singleKeys">
				<input
					type="checkbox"
					checked={preferences.singleKeys}
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
