/** Dark, light, or as the system says. */
import { DropdownMenu } from 'radix-ui';
import { useFloorContext, useView } from '../store/floor-context.tsx';
import type { Theme } from '../store/preferences.ts';
import { Icon } from './icon.tsx';
import './menu.css';

const themes: readonly (readonly [Theme, string])[] = [
	['system', 'As the system'],
	['dark', 'Dark'],
	['light', 'Light'],
];

export function ThemeMenu() {
	const { view } = useFloorContext();
	const theme = useView(({ preferences }) => preferences.theme);
	const choose = (value: string) => {
		const chosen = themes.find(([name]) => name === value)?.[0] ?? 'system';
		view.setState(({ preferences }) => ({ preferences: { ...preferences, theme: chosen } }));
	};
	return (
		<DropdownMenu.Root modal={false}>
			<DropdownMenu.Trigger className="button button-bare" aria-label="Theme" title="Theme">
				<Icon name="theme" />
			</DropdownMenu.Trigger>
			<DropdownMenu.Content className="menu" align="end" sideOffset={4}>
				<DropdownMenu.RadioGroup value={theme} onValueChange={choose}>
					{themes.map(([value, words]) => (
						<DropdownMenu.RadioItem key={value} value={value} className="menu-item">
							<span className="menu-mark">
								<DropdownMenu.ItemIndicator>●</DropdownMenu.ItemIndicator>
							</span>
							{words}
						</DropdownMenu.RadioItem>
					))}
				</DropdownMenu.RadioGroup>
			</DropdownMenu.Content>
		</DropdownMenu.Root>
	);
}
