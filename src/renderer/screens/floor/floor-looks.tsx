/** How the floor is shown: grouped by need or by repository, as a list or as cards. */
import { ToggleGroup } from 'radix-ui';
import { useFloorContext, useView } from '../../store/floor-context.tsx';
import type { FloorLook, Grouping, Preferences } from '../../store/preferences.ts';
import { Icon, type IconName } from '../../widgets/icon.tsx';
import './floor-looks.css';

const groupings: readonly (readonly [Grouping, string])[] = [
	['need', 'Need'],
	['repository', 'Repository'],
];

const looks: readonly (readonly [FloorLook, string, IconName])[] = [
	['list', 'List', 'list'],
	['cards', 'Cards', 'cards'],
];

export function FloorLooks() {
	const { view } = useFloorContext();
	const { grouping, look } = useView(({ preferences }) => preferences);
	const choose = (change: Partial<Preferences>) =>
		view.setState(({ preferences }) => ({ preferences: { ...preferences, ...change } }));
	return (
		<div className="looks">
			<ToggleGroup.Root
				className="looks-choice"
				type="single"
				aria-label="Group agents by"
				value={grouping}
				onValueChange={(value) => {
					const chosen = groupings.find(([name]) => name === value)?.[0];
					if (chosen) choose({ grouping: chosen });
				}}
			>
				{groupings.map(([name, words]) => (
					<ToggleGroup.Item
						key={name}
						value={name}
						className="looks-choice-item"
						title={`Group by ${name}  b`}
					>
						{words}
					</ToggleGroup.Item>
				))}
			</ToggleGroup.Root>
			<ToggleGroup.Root
				className="looks-choice"
				type="single"
				aria-label="Show agents as"
				value={look}
				onValueChange={(value) => {
					const chosen = looks.find(([name]) => name === value)?.[0];
					if (chosen) choose({ look: chosen });
				}}
			>
				{looks.map(([name, words, icon]) => (
					<ToggleGroup.Item
						key={name}
						value={name}
						className="looks-choice-item looks-choice-icon"
						aria-label={words}
						title={`${words}  v`}
					>
						<Icon name={icon} />
					</ToggleGroup.Item>
				))}
			</ToggleGroup.Root>
		</div>
	);
}
