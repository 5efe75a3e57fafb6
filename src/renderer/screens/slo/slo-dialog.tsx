/** Service levels of this machine, by day and provider. Read when it is opened. */
import { useEffect, useId, useState } from 'react';
import type { ChannelErrorData } from '../../../shared/channels.ts';
import type { SloDay } from '../../../shared/failover-view.ts';
import { exactNumber, spanWords } from '../../../shared/format.ts';
import { shareWords } from '../../store/failover-words.ts';
import { useFailover, useFloorContext } from '../../store/floor-context.tsx';
import { channelErrorOf } from '../../transport/transport-errors.ts';
import { DialogFrame } from '../../widgets/dialog-frame.tsx';
import { Failure } from '../../widgets/failure.tsx';
import { Untrusted } from '../../widgets/untrusted.tsx';
import './slo-dialog.css';

const spans = [7, 14, 30, 90] as const;

export function SloDialog() {
	const { transport, view } = useFloorContext();
	const [days, setDays] = useState<number>(14);
	const [rows, setRows] = useState<readonly SloDay[] | null>(null);
	const [error, setError] = useState<ChannelErrorData | null>(null);
	const spanId = useId();
	useEffect(() => {
		let wanted = true;
		transport.request('slo:read', { days }).then(
			(read) => {
				if (!wanted) return;
				setRows(read);
				setError(null);
			},
			(cause: unknown) => wanted && setError(channelErrorOf(cause)),
		);
		return () => {
			wanted = false;
		};
	}, [transport, days]);
	return (
		<DialogFrame
			shape="wide"
			testId="slo-dialog"
			title="Service levels"
			description="Counted by this floor, kept on this machine. Nothing leaves it."
			onClose={() => view.setState({ dialog: null })}
		>
			<div className="dialog-body">
				<p className="slo-span">
					<label htmlFor={spanId}>Last</label>
					<select
						id={spanId}
						className="field"
						value={days}
						onChange={(event) => setDays(Number(event.currentTarget.value))}
					>
						{spans.map((span) => (
							<option key={span} value={span}>
								{span} days
							</option>
						))}
					</select>
				</p>
				{error && <Failure error={error} />}
				{rows === null && error === null && <p className="soft">Reading…</p>}
				{rows && <SloTable rows={rows} />}
			</div>
		</DialogFrame>
	);
}

/** The newest day first. A day on which nothing was asked has no row. */
export function SloTable({ rows }: { rows: readonly SloDay[] }) {
	const providers = useFailover((failover) => failover.providers);
	if (rows.length === 0) {
		return (
			<p className="soft">
				No turn has passed the gateway in these days. Once agents talk through it, their service levels stand
				here.
			</p>
		);
	}
	const nameOf = (id: string) => providers.find((provider) => provider.id === id)?.name ?? id;
	const sorted = [...rows].sort(
		(a, b) => b.day.localeCompare(a.day) || a.providerId.localeCompare(b.providerId),
	);
	return (
		// A scrolling region must be reachable by keyboard.
		// biome-ignore lint/a11y/noNoninteractiveTabindex: see above
		<section className="slo-scroll" aria-label="Service levels by day and provider" tabIndex={0}>
			<table className="slo">
				<thead>
					<tr>
						<th scope="col">Day</th>
						<th scope="col">Provider</th>
						<th scope="col">Turns</th>
						<th scope="col">
							Fallback <small>% of turns</small>
						</th>
						<th scope="col">Refused</th>
						<th scope="col">Queued</th>
						<th scope="col">
							Degraded <small>time</small>
						</th>
						<th scope="col">
							Popup after <small>p50 / p99 / max ms</small>
						</th>
						<th scope="col">
							Queue <small>deepest</small>
						</th>
					</tr>
				</thead>
				<tbody>
					{sorted.map((row) => (
						<tr key={`${row.day} ${row.providerId}`} data-testid="slo-row">
							<th scope="row" className="nowrap">
								{row.day}
							</th>
							<td>
								<Untrusted text={nameOf(row.providerId)} limit={60} />
							</td>
							<td>{exactNumber(row.turns)}</td>
							<td className="nowrap">{shareWords(row.fallbackTurns, row.turns)}</td>
							<td>{exactNumber(row.refusedTurns)}</td>
							<td>{exactNumber(row.queuedTurns)}</td>
							<td className="nowrap">{spanWords(row.degradedMs)}</td>
							<td className="nowrap">{popupWords(row.popupMs)}</td>
							<td>{exactNumber(row.queueDepthMax)}</td>
						</tr>
					))}
				</tbody>
			</table>
		</section>
	);
}

/** "84 / 190 / 240 ms (3)"; the number of popups in brackets. */
export function popupWords(popupMs: SloDay['popupMs']): string {
	if (popupMs === null) return 'no popup';
	const { p50, p99, max, count } = popupMs;
	const [median, late, worst] = [p50, p99, max].map((ms) => exactNumber(Math.round(ms)));
	return `${median} / ${late} / ${worst} ms (${exactNumber(count)})`;
}
