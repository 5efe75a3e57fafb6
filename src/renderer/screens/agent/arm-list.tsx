/** Why did it trip, why did it not: every arm of the ladder with what it counts now against its limit. */
import type { AgentView } from '../../../shared/agent-view.ts';
import type { ArmGauge } from '../../../shared/breaker-state.ts';
import type { BreakerLevel, TripArm } from '../../../shared/words.ts';
import {
	type ArmStanding,
	armCountWords,
	armNote,
	armStanding,
	armStandingWords,
	armsToRead,
	armWords,
} from '../../store/arm-words.ts';
import { passedCap } from '../../store/caps.ts';
import { useFloorContext, useStatus } from '../../store/floor-context.tsx';
import { openPage } from '../../store/page-link.ts';
import { Ago } from '../../widgets/age.tsx';
import { Meter } from '../../widgets/meter.tsx';
import { Untrusted } from '../../widgets/untrusted.tsx';
import { CapButtons } from '../floor/cap-remedy.tsx';
import './arm-list.css';

interface ArmListProps {
	agent: AgentView;
	/** Id of the element with the agent's name. */
	labelledBy: string;
}

export function ArmList({ agent, labelledBy }: ArmListProps) {
	const status = useStatus();
	const reason = agent.evidence?.arm ?? null;
	if (status?.breakerEnabled === false) {
		return (
			<p className="soft">
				The ladder is off: nothing is counted. <SettingLink setting="breaker.enabled" name="the ladder" />
			</p>
		);
	}
	const ended = agent.state.kind === 'exited';
	if (agent.arms.length === 0) {
		return (
			<p className="quiet">
				{ended
					? 'Nothing was counted: it ended before a beat.'
					: 'Nothing is counted yet: the next beat begins.'}
			</p>
		);
	}
	return (
		<>
			<p className="soft">
				{summaryWords(agent)}{' '}
				<span data-testid="arms-age">
					{ended ? 'As of its last beat.' : <BeatAge at={status?.lastBeatAt ?? null} />}
				</span>
			</p>
			<ul className="arms">
				{armsToRead(agent.arms, reason).map((gauge) => (
					<Arm key={gauge.arm} agent={agent} labelledBy={labelledBy} gauge={gauge} reason={reason} />
				))}
			</ul>
		</>
	);
}

/** The figures are those of the last beat, also while the engine does not answer. */
function BeatAge({ at }: { at: number | null }) {
	if (at === null) return null;
	return (
		<>
			As of the last beat, <Ago at={at} />.
		</>
	);
}

/** What the list below says, in a sentence. */
function summaryWords({ arms, evidence, state }: AgentView): string {
	if (evidence !== null) {
		const others = arms.filter((gauge) => armStanding(gauge, evidence.arm) === 'over').length;
		const also = others === 0 ? '' : `; ${others === 1 ? 'one more is' : `${others} more are`} over as well`;
		return `“${armWords[evidence.arm].name}” tripped first and gives the reason${also}.`;
	}
	const over = arms.some((gauge) => armStanding(gauge, null) === 'over');
	if (state.kind === 'exited') {
		return over
			? 'It ended over a limit, before it was judged.'
			: 'No arm was over a limit that counts against it.';
	}
	return over ? 'Over a limit: the next beat judges it.' : 'No arm is over a limit that counts against it.';
}

interface ArmProps extends ArmListProps {
	gauge: ArmGauge;
	reason: TripArm | null;
}

function Arm({ agent, labelledBy, gauge, reason }: ArmProps) {
	const { arm, count, limit, counted } = gauge;
	const note = armNote(gauge);
	const { name, setting } = armWords[arm];
	const standing = armStanding(gauge, reason);
	const passed = passedCap(gauge, reason);
	return (
		<li className={`arm arm-${standing}`} data-testid="arm" data-arm={arm} data-standing={standing}>
			<span className="arm-meter">
				{count !== null && limit !== null && (
					<Meter count={count} limit={limit} level={lampOf(standing, agent.level)} />
				)}
			</span>
			<b>{name}</b>
			<p className="arm-count">
				<span className="figures">{armCountWords(gauge)}</span>
				{armStandingWords[standing] !== '' && (
					<span className="arm-standing">{armStandingWords[standing]}</span>
				)}
				{standing === 'off' && setting !== null && <SettingLink setting={setting} name={name} />}
			</p>
			<div className="arm-words">
				{counted !== '' && standing !== 'off' && (
					<p>
						<Untrusted text={counted} limit={240} />
					</p>
				)}
				{note !== '' && (
					<p>
						<Untrusted text={note} limit={300} />
					</p>
				)}
				{passed && <CapButtons agent={agent} passed={passed} labelledBy={labelledBy} tabStop />}
			</div>
		</li>
	);
}

/** Only the arm that gives the reason has the lamp of the level; the others are drawn in ink. */
function lampOf(standing: ArmStanding, level: BreakerLevel): BreakerLevel {
	return standing === 'tripped' ? level : 'healthy';
}

function SettingLink({ setting, name }: { setting: string; name: string }) {
	const { view } = useFloorContext();
	return (
		<button
			type="button"
			className="button button-bare link-button"
			aria-label={`Settings: ${name}`}
			onClick={() => openPage(view, 'settings', { setting })}
		>
			Settings
		</button>
	);
}
