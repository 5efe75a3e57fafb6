/** Narrows the floor to agents whose words match. `/` comes here, Escape clears it, Enter goes to the first that is found. */
import { useId } from 'react';
import { filterFields } from '../../store/agent-filter.ts';
import { useFloorContext, useView } from '../../store/floor-context.tsx';
import { FILTER_LIMIT } from '../../store/saved-filters.ts';
import { focusAgent } from './agent-focus.ts';
import './filter-box.css';

const help = `Words, a "phrase", or ${Object.values(filterFields).join(', ')}. A minus before it leaves out what it finds.`;

interface FilterBoxProps {
	shown: number;
	total: number;
	/** The first agent that is found; `null`: none. */
	first: string | null;
}

export function FilterBox({ shown, total, first }: FilterBoxProps) {
	const { view } = useFloorContext();
	const filter = useView((state) => state.filter);
	const helpId = useId();
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
				aria-describedby={helpId}
				aria-keyshortcuts="/"
				placeholder="Filter  /"
				title={help}
				spellCheck={false}
				maxLength={FILTER_LIMIT}
				value={filter}
				onChange={(event) => view.setState({ filter: event.currentTarget.value })}
				onKeyDown={(event) => {
					if (event.key === 'Escape') {
						view.setState({ filter: '' });
						event.currentTarget.blur();
					} else if ((event.key === 'Enter' || event.key === 'ArrowDown') && first !== null) {
						event.preventDefault();
						focusAgent(view, first);
					}
				}}
			/>
			<span id={helpId} className="unseen">
				{help}
			</span>
		</search>
	);
}
