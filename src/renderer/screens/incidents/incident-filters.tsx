/** Narrows the list: by words, by where in its life an incident is, by kind, by agent. */
import type { IncidentFilter } from '../../store/incident-list.ts';
import { Segments } from '../../widgets/segments.tsx';

const lifecycles = [
	{ value: 'all', words: 'All' },
	{ value: 'open', words: 'Open' },
	{ value: 'ended', words: 'Ended' },
] as const;

interface Choice {
	readonly value: string;
	/** Fit to be drawn. */
	readonly words: string;
}

interface IncidentFiltersProps {
	filter: IncidentFilter;
	/** Those that occur, whatever is filtered now. */
	kinds: readonly Choice[];
	agents: readonly Choice[];
	onChange: (filter: IncidentFilter) => void;
}

export function IncidentFilters({ filter, kinds, agents, onChange }: IncidentFiltersProps) {
	return (
		<search className="incident-filters">
			<Segments
				label="Open or ended"
				value={filter.lifecycle}
				options={lifecycles}
				onChange={(lifecycle) => onChange({ ...filter, lifecycle })}
				testId="incident-lifecycle"
			/>
			<Select
				label="Kind"
				all="All kinds"
				choices={kinds}
				value={filter.kind}
				onChange={(kind) => onChange({ ...filter, kind })}
			/>
			<Select
				label="Agent"
				all="All agents"
				choices={agents}
				value={filter.agentId}
				onChange={(agentId) => onChange({ ...filter, agentId })}
			/>
			<input
				className="field"
				type="search"
				aria-label="Filter incidents by words"
				placeholder="Filter by words"
				spellCheck={false}
				maxLength={200}
				value={filter.words}
				onChange={(event) => onChange({ ...filter, words: event.currentTarget.value })}
				onKeyDown={(event) => {
					if (event.key === 'Escape') onChange({ ...filter, words: '' });
				}}
			/>
		</search>
	);
}

interface SelectProps {
	label: string;
	all: string;
	choices: readonly Choice[];
	value: string | null;
	onChange: (value: string | null) => void;
}

function Select({ label, all, choices, value, onChange }: SelectProps) {
	return (
		<select
			className="field"
			aria-label={label}
			value={value ?? ''}
			onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? null : currentTarget.value)}
		>
			<option value="">{all}</option>
			{choices.map((choice) => (
				<option key={choice.value} value={choice.value}>
					{choice.words}
				</option>
			))}
		</select>
	);
}
