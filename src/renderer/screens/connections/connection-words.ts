/** Connections in words. Pure. */
import type { Connection } from '../../../shared/connection-view.ts';
import type { HookStatus } from '../../../shared/snapshot.ts';
import { count } from '../../store/failover-words.ts';
import type { Presence } from '../../widgets/glyphs.tsx';

export const connectionMarks: Readonly<
	Record<HookStatus, { readonly shape: Presence; readonly words: string }>
> = {
	installed: { shape: 'yes', words: 'connected' },
	partly: { shape: 'barred', words: 'installed, not running' },
	absent: { shape: 'off', words: 'not connected' },
	unreadable: { shape: 'no', words: 'its settings file cannot be read' },
	unknown: { shape: 'unknown', words: 'not looked at yet' },
};

/** "2 agents now", "no agent now". */
export function agentsWords({ agents }: Pick<Connection, 'agents'>): string {
	return agents === 0 ? 'no agent now' : `${count(agents, 'agent')} now`;
}

/** Whether connecting can be offered: it is here, and the floor does not hear it. */
export function isConnectable({ found, status }: Pick<Connection, 'found' | 'status'>): boolean {
	return found && (status === 'absent' || status === 'partly' || status === 'unknown');
}
