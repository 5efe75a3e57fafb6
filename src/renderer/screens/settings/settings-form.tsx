/** The settings themselves, by section, as far as the search finds them. */
import type { Settings } from '../../../shared/settings.ts';
import { hasAllWords } from '../../store/agent-filter.ts';
import { NoticePermissionControl } from '../../widgets/notice-permission.tsx';
import { AgentCaps } from './agent-caps.tsx';
import { ChainList, ProviderSettingsList } from './file-lists.tsx';
import { FloorFacts } from './floor-facts.tsx';
import { isFound } from './setting-fields.ts';
import { type SectionId, type SettingSection, settingSections } from './setting-sections.ts';
import { changeOf, type Edits } from './settings-change.ts';
import { SectionFrame, SettingFields } from './settings-section.tsx';
import { WindowSettings } from './window-settings.tsx';

interface SettingsFormProps {
	settings: Settings;
	edits: Edits;
	/** Words that must all be found; empty shows everything. */
	search: string;
	/** A refusal of the engine that is about one field, by its path. */
	refused: Readonly<Record<string, string>>;
	onEdit: (path: string, value: string | boolean) => void;
	onEditCaps: (caps: Readonly<Record<string, number | null>>) => void;
	onSave: () => void;
}

/** What the parts of a section that are no fields are found by. */
const otherWords: Partial<Record<SectionId, string>> = {
	caps: 'caps for single agents token cap breaker.agentTokenCaps',
	notifications: 'permission browser tell me here',
	failover: 'providers local servers address baseUrl',
	'rate-limits': 'chains fallback models cooldown',
	window: 'theme dark light look list cards grouping need repository keys letters singleKeys',
	floor: 'version address data directory settings file',
};

export interface FoundSection {
	readonly section: SettingSection;
	readonly fields: SettingSection['fields'];
	/** What stands there besides fields is shown too. */
	readonly whole: boolean;
}

/** The sections in which something is found. Pure. */
export function foundSections(search: string): FoundSection[] {
	return settingSections
		.map((section) => ({
			section,
			fields: section.fields.filter((field) => isFound(field, section.title, search)),
			whole: hasAllWords([section.title, otherWords[section.id] ?? ''], search),
		}))
		.filter(({ fields, whole }) => fields.length > 0 || whole);
}

export function SettingsForm({ settings, edits, search, refused, ...on }: SettingsFormProps) {
	const change = changeOf(edits, settings);
	const problems = { ...refused, ...change.problems };
	return foundSections(search).map(({ section, fields, whole }) => (
		<SectionFrame key={section.id} section={section}>
			{fields.length > 0 && (
				<form
					className="setting-fields"
					noValidate
					onSubmit={(event) => {
						event.preventDefault();
						on.onSave();
					}}
				>
					<SettingFields
						fields={fields}
						settings={settings}
						change={change}
						problems={problems}
						onEdit={on.onEdit}
					/>
					{/* Enter in a field saves, as the bar does. */}
					<input type="submit" hidden />
				</form>
			)}
			{whole && <Besides id={section.id} settings={settings} edits={edits} onEditCaps={on.onEditCaps} />}
		</SectionFrame>
	));
}

interface BesidesProps extends Pick<SettingsFormProps, 'settings' | 'edits' | 'onEditCaps'> {
	id: SectionId;
}

/** What a section holds that is no plain field. */
function Besides({ id, settings, edits, onEditCaps }: BesidesProps) {
	switch (id) {
		case 'caps':
			return <AgentCaps caps={settings.breaker.agentTokenCaps} edits={edits.caps} onEdit={onEditCaps} />;
		case 'notifications':
			return (
				<div className="notice-here">
					<NoticePermissionControl />
				</div>
			);
		case 'failover':
			return <ProviderSettingsList providers={settings.providers} localServers={settings.localServers} />;
		case 'rate-limits':
			return <ChainList chains={settings.models.chains} />;
		case 'window':
			return <WindowSettings />;
		case 'floor':
			return <FloorFacts />;
		default:
			return null;
	}
}
