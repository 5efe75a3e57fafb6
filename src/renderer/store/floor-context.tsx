/** What every part of the window can reach: the transport, the two stores and the clock. */
import { createContext, type ReactNode, useContext } from 'react';
import { useStore } from 'zustand';
import type { AgentView } from '../../shared/agent-view.ts';
import { type AgentWait, waitsOf } from '../../shared/attention.ts';
import { emptyFailoverView, type FailoverView } from '../../shared/failover-view.ts';
import { emptyModelsView, type ModelsView } from '../../shared/models-view.ts';
import type { Sighting } from '../../shared/sighting.ts';
import type { FloorStatus } from '../../shared/snapshot.ts';
import type { FloorTransport } from '../../shared/transport.ts';
import type { FloorUsage } from '../../shared/usage-view.ts';
import type { Clock } from './clock.ts';
import type { FloorState, FloorStore } from './floor-store.ts';
import type { ViewState, ViewStore } from './view-store.ts';

export interface FloorContextValue {
	readonly transport: FloorTransport;
	readonly floor: FloorStore;
	readonly view: ViewStore;
	readonly clock: Clock;
}

const FloorContext = createContext<FloorContextValue | null>(null);

export function FloorProvider({ value, children }: { value: FloorContextValue; children: ReactNode }) {
	return <FloorContext value={value}>{children}</FloorContext>;
}

export function useFloorContext(): FloorContextValue {
	const value = useContext(FloorContext);
	if (value === null) throw new Error('This part of the window stands outside the FloorProvider.');
	return value;
}

/** Redraws only when what `select` returns is another object. */
export function useFloor<T>(select: (state: FloorState) => T): T {
	return useStore(useFloorContext().floor, select);
}

export function useView<T>(select: (state: ViewState) => T): T {
	return useStore(useFloorContext().view, select);
}

/** One agent; `null` when it is not (or no longer) known. */
export function useAgent(agentId: string): AgentView | null {
	return useFloor(({ picture }) => picture.agents.get(agentId)?.value ?? null);
}

/** What an agent waits for, where that is a lost provider or a consent. */
export function useAgentWait(agentId: string): AgentWait | undefined {
	return useFailover((failover) => waitsOf(failover).get(agentId));
}

/** What `select` takes out of failover; of an empty view before the first snapshot. */
export function useFailover<T>(select: (failover: FailoverView) => T): T {
	return useFloor(({ picture }) => select(picture.failover.value ?? emptyFailoverView));
}

/** What `select` takes out of the models; of an empty view before the first snapshot. */
export function useModels<T>(select: (models: ModelsView) => T): T {
	return useFloor(({ picture }) => select(picture.models.value ?? emptyModelsView));
}

/** The figures of everybody; `null` before the first snapshot. */
export function useFloorUsage(): FloorUsage | null {
	return useFloor(({ picture }) => picture.usage.value);
}

const noSightings: readonly Sighting[] = [];

/** Sessions that are seen, not connected. */
export function useSightings(): readonly Sighting[] {
	return useFloor(({ picture }) => picture.sightings.value ?? noSightings);
}

/** Since when everything on screen is only the last that is known, ms; `null` while the engine is followed. */
export function useLostSince(): number | null {
	return useFloor(({ lostSince }) => lostSince);
}

/** `null` before the first snapshot. */
export function useStatus(): FloorStatus | null {
	return useFloor(({ picture }) => picture.status.value);
}
