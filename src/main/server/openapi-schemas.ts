/** Schemas that stand under a name of their own in the description of the HTTP surface, instead of at every place. */
import { z } from 'zod';
import {
	agentViewSchema,
	noteViewSchema,
	stopProgressSchema,
	toolCallViewSchema,
} from '../../shared/agent-view.ts';
import { armGaugeSchema, evidenceSchema } from '../../shared/breaker-state.ts';
import {
	capabilitySchema,
	localServerViewSchema,
	modelFitSchema,
	modelRefSchema,
	modelRolesSchema,
	providerViewSchema,
} from '../../shared/capability.ts';
import { channelErrorSchema, historyRowSchema, hookPlanSchema } from '../../shared/channels.ts';
import {
	failoverSettingsSchema,
	localServerSettingsSchema,
	providerSettingsSchema,
} from '../../shared/failover-settings.ts';
import {
	candidateSchema,
	comparisonSchema,
	consentViewSchema,
	failoverPopupSchema,
	failoverViewSchema,
	gatewayGuideSchema,
	heldTurnViewSchema,
	improveOfferSchema,
	localRouteViewSchema,
	outboxEntryViewSchema,
	outboxViewSchema,
	sloDaySchema,
} from '../../shared/failover-view.ts';
import { breakerSettingsSchema, settingsSchema } from '../../shared/settings.ts';
import { sightingSchema } from '../../shared/sighting.ts';
import { floorSnapshotSchema, floorStatusSchema, incidentSchema } from '../../shared/snapshot.ts';
import { floorUsageSchema, usageAmountSchema, usageViewSchema } from '../../shared/usage-view.ts';

const named: Readonly<Record<string, z.ZodType>> = {
	AgentView: agentViewSchema,
	BreakerSettings: breakerSettingsSchema,
	Candidate: candidateSchema,
	Capability: capabilitySchema,
	ChannelError: channelErrorSchema,
	Comparison: comparisonSchema,
	ConsentView: consentViewSchema,
	Evidence: evidenceSchema,
	FailoverPopup: failoverPopupSchema,
	FailoverSettings: failoverSettingsSchema,
	FailoverView: failoverViewSchema,
	FloorSnapshot: floorSnapshotSchema,
	FloorStatus: floorStatusSchema,
	GatewayGuide: gatewayGuideSchema,
	HeldTurnView: heldTurnViewSchema,
	HistoryRow: historyRowSchema,
	HookPlan: hookPlanSchema,
	ImproveOffer: improveOfferSchema,
	Incident: incidentSchema,
	LocalRouteView: localRouteViewSchema,
	LocalServerSettings: localServerSettingsSchema,
	LocalServerView: localServerViewSchema,
	ModelFit: modelFitSchema,
	ModelRef: modelRefSchema,
	ModelRoles: modelRolesSchema,
	NoteView: noteViewSchema,
	OutboxEntryView: outboxEntryViewSchema,
	OutboxView: outboxViewSchema,
	ProviderSettings: providerSettingsSchema,
	ProviderView: providerViewSchema,
	Settings: settingsSchema,
	SloDay: sloDaySchema,
	StopProgress: stopProgressSchema,
	ToolCallView: toolCallViewSchema,
	UsageView: usageViewSchema,
	UsageAmount: usageAmountSchema,
	FloorUsage: floorUsageSchema,
	ArmGauge: armGaugeSchema,
	Sighting: sightingSchema,
};

/** Gives the schemas these names, for whoever describes them; what they accept stays as it is. */
export function nameSchemas(): void {
	for (const [id, schema] of Object.entries(named)) {
		z.globalRegistry.add(schema, { ...z.globalRegistry.get(schema), id });
	}
}
