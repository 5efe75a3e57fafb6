/** Every agent with what it took, sortable by each column. Rows keep their places until another column is chosen. */
import { useState } from 'react';
import type { AgentView } from '../../../shared/agent-view.ts';
import { clientWords } from '../../../shared/format.ts';
import type { FloorUsage } from '../../../shared/usage-view.ts';
import { useFloor, useFloorContext } from '../../store/floor-context.tsx';
import {
	amountOf,
	countedAgents,
	nextSort,
	sortedByUsage,
	type UsageMetric,
	type UsagePeriod,
	type UsageSort,
	type UsageSortKey,
} from '../../store/usage-order.ts';
import { useSteadyOrder } from '../../store/use-steady-order.ts';
import { Untrusted } from '../../widgets/untrusted.tsx';
import { AmountCells } from './amount-cells.tsx';

const periods = ['session', 'today', 'week'] as const;

const periodWords: Readonly<Record<UsagePeriod, string>> = {
	session: 'Session',
	today: 'Today',
	week: 'Week',
};
const metricWords: Readonly<Record<UsageMetric, string>> = { work: 'work tokens', cost: 'cost' };
const metrics = ['work', 'cost'] as const;

/** Agents that are in the sums of everybody, and apart from them those of a demo on a real floor. */
export function AgentUsageTables({ session }: Pick<FloorUsage, 'session'>) {
	const known = useFloor(({ picture }) => picture.agents);
	const agents = [...known.values()].flatMap(({ value }) => value ?? []);
	if (agents.length === 0) return <p className="quiet">No agent is on the floor.</p>;
	const { counted, apart } = countedAgents(agents, session);
	return (
		<>
			{counted.length > 0 && <AgentUsageTable agents={counted} label="Usage by agent" />}
			{counted.length === 0 && <p className="quiet">No agent is on the floor but those of the demo.</p>}
			{apart.length > 0 && (
				<>
					<p className="soft">Demo agents: nothing was really spent, and they are in none of the sums.</p>
					<AgentUsageTable agents={apart} label="Usage by demo agent" />
				</>
			)}
		</>
	);
}

function AgentUsageTable({ agents, label }: { agents: readonly AgentView[]; label: string }) {
	const [sort, setSort] = useState<UsageSort>({ key: 'session work', descending: true });
	const head = { sort, onSort: (key: UsageSortKey) => setSort(nextSort(sort, key)) };
	return (
		// A scrolling region must be reachable by keyboard.
		// biome-ignore lint/a11y/noNoninteractiveTabindex: see above
		<section className="usage-scroll" aria-label={label} tabIndex={0}>
			<table className="usage-table usage-agents">
				<thead>
					<tr>
						<SortHead {...head} sortKey="name" words="Agent" rows={2} />
						<SortHead {...head} sortKey="program" words="Program" rows={2} />
						{periods.map((period) => (
							<th key={period} scope="colgroup" colSpan={2}>
								{periodWords[period]}
							</th>
						))}
					</tr>
					<tr className="usage-units">
						{periods.map((period) =>
							metrics.map((metric) => (
								<SortHead
									{...head}
									key={`${period} ${metric}`}
									sortKey={`${period} ${metric}`}
									words={metricWords[metric]}
									of={periodWords[period]}
								/>
							)),
						)}
					</tr>
				</thead>
				<Rows key={`${sort.key} ${sort.descending}`} agents={agents} sort={sort} />
			</table>
		</section>
	);
}

interface SortHeadProps {
	sort: UsageSort;
	onSort: (key: UsageSortKey) => void;
	sortKey: UsageSortKey;
	words: string;
	/** What the head above says, for those who hear this one alone. */
	of?: string;
	rows?: number;
}

function SortHead({ sort, onSort, sortKey, words, of, rows }: SortHeadProps) {
	const way = sort.key !== sortKey ? 'none' : sort.descending ? 'descending' : 'ascending';
	return (
		<th scope="col" rowSpan={rows} aria-sort={way}>
			<button type="button" className="usage-sort" onClick={() => onSort(sortKey)}>
				{of !== undefined && <span className="unseen">{of} </span>}
				{words}
				<span className="usage-arrow" aria-hidden="true">
					{{ none: '', ascending: '↑', descending: '↓' }[way]}
				</span>
			</button>
		</th>
	);
}

function Rows({ agents, sort }: { agents: readonly AgentView[]; sort: UsageSort }) {
	const order = useSteadyOrder(sortedByUsage(agents, sort).map(({ id }) => id));
	const byId = new Map(agents.map((agent) => [agent.id, agent]));
	return (
		<tbody>
			{order.map((id) => {
				const agent = byId.get(id);
				return agent && <Row key={id} agent={agent} />;
			})}
		</tbody>
	);
}

function Row({ agent }: { agent: AgentView }) {
	const { view } = useFloorContext();
	return (
		<tr data-testid="usage-agent" data-agent-id={agent.id}>
			<th scope="row">
				<button
					type="button"
					className="usage-name"
					onClick={() => view.setState({ dialog: null, drawerAgentId: agent.id })}
				>
					<Untrusted text={agent.name} limit={120} line />
				</button>
				{agent.demo && <span className="tag">demo</span>}
			</th>
			<td>
				<Untrusted text={clientWords(agent.client)} limit={60} />
			</td>
			{periods.map((period) => (
				<AmountCells key={period} amount={amountOf(agent, period)} />
			))}
		</tr>
	);
}
