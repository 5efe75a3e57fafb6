import { Fragment } from 'react';
import { clientWords, exactNumber } from '../../../shared/format.ts';
import type { FloorUsage } from '../../../shared/usage-view.ts';
import { bytesWords, count } from '../../store/failover-words.ts';
import { Untrusted } from '../../widgets/untrusted.tsx';
import { AmountCells } from './amount-cells.tsx';

/** Every session that was found on this machine, whether its agent is on the floor or not. */
export function ProgramUsageTable({ programs }: Pick<FloorUsage, 'programs'>) {
	if (programs.length === 0) return <p className="quiet">Nothing was counted of any program yet.</p>;
	return (
		// A scrolling region must be reachable by keyboard.
		// biome-ignore lint/a11y/noNoninteractiveTabindex: see above
		<section className="usage-scroll" aria-label="Usage by program" tabIndex={0}>
			<table className="usage-table">
				<thead>
					<tr>
						<th scope="col" rowSpan={2}>
							Program
						</th>
						<th scope="col" rowSpan={2}>
							Session files
						</th>
						<th scope="colgroup" colSpan={2}>
							Today
						</th>
						<th scope="colgroup" colSpan={2}>
							Week
						</th>
					</tr>
					<tr className="usage-units">
						{['today', 'week'].map((period) => (
							<Fragment key={period}>
								<th scope="col">work tokens</th>
								<th scope="col">cost</th>
							</Fragment>
						))}
					</tr>
				</thead>
				<tbody>
					{programs.map(({ client, files, bytes, today, week }) => (
						<tr key={client} data-testid="usage-program">
							<th scope="row">
								<Untrusted text={clientWords(client)} limit={60} />
							</th>
							<td className="nowrap" title={`${exactNumber(bytes)} bytes`}>
								{files === 0
									? 'none are read'
									: `${count(files, 'file')}, ${bytes < 1024 ** 2 ? 'under 1 MB' : bytesWords(bytes)}`}
							</td>
							<AmountCells amount={today} />
							<AmountCells amount={week} />
						</tr>
					))}
				</tbody>
			</table>
		</section>
	);
}
