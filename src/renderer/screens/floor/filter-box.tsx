/** Narrows the floor to agents whose words match. `/` comes here, Escape clears it. */
import { useFloorContext, useView } from '../../store/floor-context.tsx';
import './filter-box.css';

export function FilterBox({ shown, total }: { shown: number; total: number }) {
	const { view } = useFloorContext();
	const filter = useView((state) => state.filter);
	return (
		<search className="filter">
			{filter !== '' && (
				<output className="quiet nowrap">
					{shown} of {total}
				</output>
			)}
			<input
				className="field filter-field"
				type="search"
				aria-label="Filter agents"
				aria-keyshortcuts="/"
				placeholder="Filter  /"
				spellCheck={false}
				maxLength={200}
				value={filter}
				onChange={(event) => view.setState({ filter: event.currentTarget.value })}
				onKeyDown={(event) => {
					if (event.key !== 'Escape') return;
					view.setState({ filter: '' });
					event.currentTarget.blur();
				}}
			/>
		</search>
	);
}
