/** Settings: what each one means, its unit, its default, and what another value would have done. Saved together. */
import { useEffect, useState } from 'react';
import type { ChannelErrorData } from '../../../shared/channels.ts';
import type { Settings } from '../../../shared/settings.ts';
import { useFloor, useFloorContext, useView } from '../../store/floor-context.tsx';
import { channelErrorOf } from '../../transport/transport-errors.ts';
import { Failure } from '../../widgets/failure.tsx';
import { PageFrame } from '../../widgets/page-frame.tsx';
import { Untrusted } from '../../widgets/untrusted.tsx';
import { SaveBar } from './save-bar.tsx';
import { SectionList, showSection } from './section-list.tsx';
import { type SectionId, settingSections } from './setting-sections.ts';
import { changeOf, type SettingsChange } from './settings-change.ts';
import { foundSections, SettingsForm } from './settings-form.tsx';
import {
	discardEdits,
	editCaps,
	editField,
	saveEdits,
	unsavedCount,
	unsavedOf,
	useUnsaved,
} from './unsaved.ts';
import './settings-page.css';

export function SettingsPage() {
	const [search, setSearch] = useState('');
	const error = useReadSettings();
	const settings = useUnsaved((state) => state.settings);
	usePlace(settings !== null, () => setSearch(''));
	return (
		<PageFrame
			testId="settings-page"
			title="Settings"
			description="Changed here, from the command line or in the file; nothing needs a restart but the port."
			tools={
				<input
					className="field settings-search"
					type="search"
					aria-label="Search the settings"
					aria-keyshortcuts="/"
					placeholder="Search the settings  /"
					spellCheck={false}
					maxLength={200}
					value={search}
					onChange={(event) => setSearch(event.currentTarget.value)}
					onKeyDown={(event) => {
						if (event.key === 'Escape') setSearch('');
					}}
				/>
			}
		>
			{error && <Failure error={error} />}
			<FileProblems />
			{settings && <SettingsBody settings={settings} search={search} />}
		</PageFrame>
	);
}

interface SettingsBodyProps {
	settings: Settings;
	search: string;
}

export function SettingsBody({ settings, search }: SettingsBodyProps) {
	const { transport, view } = useFloorContext();
	const store = unsavedOf(view);
	const { edits, refusal, saving } = useUnsaved((state) => state);
	const count = useUnsaved(unsavedCount);
	const change = changeOf(edits, settings);
	const found = foundSections(search);
	useHeldClosing(count > 0);
	const save = () => void saveEdits(transport, view, store);
	return (
		<div className="settings">
			<SectionList
				found={new Set(found.map(({ section }) => section.id))}
				changes={changesBySection(change)}
			/>
			<div className="settings-body">
				{found.length === 0 && <p className="soft">No setting matches “{search}”.</p>}
				<SettingsForm
					settings={settings}
					edits={edits}
					search={search}
					refused={refusal?.path ? { [refusal.path]: refusal.error.message } : {}}
					onEdit={(path, value) => editField(store, path, value)}
					onEditCaps={(caps) => editCaps(store, caps)}
					onSave={save}
				/>
				<SaveBar
					count={count}
					blocked={Object.keys(change.problems).length > 0}
					saving={saving}
					error={refusal !== null && refusal.path === null ? refusal.error : null}
					onSave={save}
					onDiscard={() => discardEdits(store)}
				/>
			</div>
		</div>
	);
}

/** A browser asks before its tab goes away with unsaved changes. In the desktop app this would only bar the window. */
function useHeldClosing(unsaved: boolean): void {
	useEffect(() => {
		if (!unsaved || window.agentFloor) return;
		const hold = (event: BeforeUnloadEvent) => event.preventDefault();
		addEventListener('beforeunload', hold);
		return () => removeEventListener('beforeunload', hold);
	}, [unsaved]);
}

/** Reads the settings and keeps them true; `null` unless they could not be read. */
function useReadSettings(): ChannelErrorData | null {
	const { transport, view } = useFloorContext();
	const connected = useFloor(({ connection }) => connection.state === 'connected');
	const [error, setError] = useState<ChannelErrorData | null>(null);
	useEffect(() => {
		if (!connected) return;
		const store = unsavedOf(view);
		const end = transport.subscribe('settings:changed', (settings) => store.setState({ settings }));
		transport.request('settings:get', {}).then(
			(settings) => {
				store.setState({ settings });
				setError(null);
			},
			(cause: unknown) => setError(channelErrorOf(cause)),
		);
		return end;
	}, [transport, view, connected]);
	return error;
}

/** Goes to the setting or section that the page was opened at. */
function usePlace(read: boolean, onGo: () => void): void {
	const place = useView((state) => state.place);
	// biome-ignore lint/correctness/useExhaustiveDependencies: only a new place is a reason to go there
	useEffect(() => {
		if (!read || place === null) return;
		onGo();
		// Drawn first: the search may have hidden it.
		const frame = requestAnimationFrame(() => {
			if (place.setting === undefined) {
				if (place.section !== undefined) showSection(place.section);
				return;
			}
			const setting = document.querySelector(`[data-setting="${CSS.escape(place.setting)}"]`);
			setting?.scrollIntoView({ block: 'center' });
			setting?.querySelector<HTMLElement>('input:not(:disabled)')?.focus({ preventScroll: true });
		});
		return () => cancelAnimationFrame(frame);
	}, [read, place]);
}

/** What is wrong with the settings file, as long as it is. */
export function FileProblems() {
	const problem = useFloor(
		({ picture }) =>
			[...picture.incidents.values()].find(
				({ value }) => value?.kind === 'settings' && value.endedAt === null,
			)?.value ?? null,
	);
	if (problem === null) return null;
	return (
		<p className="settings-problems" role="status" data-testid="settings-problems">
			<strong>
				<Untrusted text={problem.title} limit={200} />.
			</strong>{' '}
			<Untrusted text={problem.detail} limit={1200} /> The last good value of each setting holds until then.
		</p>
	);
}

function changesBySection({ changed, problems }: SettingsChange): Map<SectionId, number> {
	const paths = new Set([...changed, ...Object.keys(problems)]);
	const counts = new Map<SectionId, number>();
	for (const { id, fields } of settingSections) {
		const own = fields.filter(({ path }) => paths.has(path)).length;
		const caps =
			id === 'caps' ? changed.filter((path) => path.startsWith('breaker.agentTokenCaps:')).length : 0;
		if (own + caps > 0) counts.set(id, own + caps);
	}
	return counts;
}
