/** Local servers and their models, as they describe themselves. What a server does not tell is said to be unknown. */
import type { Capability, LocalServerView, ModelFit } from '../../../shared/capability.ts';
import { exactNumber } from '../../../shared/format.ts';
import {
	bytesWords,
	contextWords,
	fitWords,
	serverKindWords,
	serverWords,
} from '../../store/failover-words.ts';
import { Ago } from '../../widgets/age.tsx';
import { type Presence, PresenceGlyph } from '../../widgets/glyphs.tsx';
import { Untrusted } from '../../widgets/untrusted.tsx';

const presences: Record<LocalServerView['state'], Presence> = {
	running: 'yes',
	loading: 'yes',
	absent: 'off',
	unreadable: 'no',
	unknown: 'unknown',
};

export function LocalServerList({ servers }: { servers: readonly LocalServerView[] }) {
	if (servers.length === 0) return <p className="soft">No local server is set up.</p>;
	return (
		<ul className="panel-list panel-tight">
			{servers.map(({ id, kind, baseUrl, state, problem, version, models, checkedAt }) => (
				<li key={id} data-testid="local-server" data-server-state={state}>
					<p className="panel-name">
						<PresenceGlyph presence={presences[state]} />
						<strong>{serverKindWords[kind]}</strong>{' '}
						{version !== null && <Untrusted text={version} limit={40} />} {serverWords[state]}
						{(state === 'running' || state === 'loading') &&
							`, ${models === 1 ? '1 model' : `${models} models`}`}
					</p>
					<p className="soft">
						<Untrusted text={baseUrl} limit={120} mono />
						{checkedAt !== null && (
							<>
								, checked <Ago at={checkedAt} />
							</>
						)}
					</p>
					{problem !== '' && (
						<p>
							<Untrusted text={problem} limit={300} />
						</p>
					)}
				</li>
			))}
		</ul>
	);
}

interface LocalModelListProps {
	models: readonly ModelFit[];
	local: Capability['local'];
}

export function LocalModelList({ models, local }: LocalModelListProps) {
	if (models.length === 0) {
		return (
			<p className="soft">
				{local === 'loading'
					? 'A model is being loaded.'
					: 'No local model was found: nothing to fall back on.'}
			</p>
		);
	}
	return (
		<ul className="panel-list">
			{models.map((model) => (
				<Model key={model.id} model={model} />
			))}
		</ul>
	);
}

function Model({ model }: { model: ModelFit }) {
	const { name, serverId, context, loaded, sizeBytes, tags, fit, fitReason, checkedAt } = model;
	return (
		<li data-testid="local-model" data-fit={fit}>
			<p className="panel-name">
				<strong>
					<Untrusted text={name} limit={80} />
				</strong>{' '}
				on <Untrusted text={serverId} limit={40} />
				{tags.map((tag) => (
					<span key={tag} className="tag">
						{tag}
					</span>
				))}
			</p>
			<p>
				<strong className={`fit fit-${fit.toLowerCase()}`}>{fitWords[fit]}</strong>{' '}
				<Untrusted text={fitReason} limit={300} />
			</p>
			<p className="soft">
				<span title={contextWords(context, exactNumber)}>{contextWords(context)}</span>;{' '}
				{sizeBytes === null ? 'size not known' : bytesWords(sizeBytes)}; {toolWords(model)};{' '}
				{loadedWords(loaded)}; checked <Ago at={checkedAt} />
			</p>
		</li>
	);
}

function toolWords({ tools }: ModelFit): string {
	if (tools === null) return 'tools not known';
	return tools ? 'uses tools' : 'no tools';
}

function loadedWords(loaded: boolean | null): string {
	if (loaded === null) return 'loaded or not is not known';
	return loaded ? 'loaded' : 'not loaded';
}
