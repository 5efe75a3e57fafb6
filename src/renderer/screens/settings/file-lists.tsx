/** Lists of the settings file that are changed in the file itself: shown as they are, with where to change them. */
import { providerNameOf } from '../../../shared/failover-settings.ts';
import type { Settings } from '../../../shared/settings.ts';
import { serverKindWords } from '../../store/failover-words.ts';
import { useStatus } from '../../store/floor-context.tsx';
import { Untrusted } from '../../widgets/untrusted.tsx';

export function ProviderSettingsList({
	providers,
	localServers,
}: Pick<Settings, 'providers' | 'localServers'>) {
	return (
		<>
			<div className="file-list" data-setting="providers">
				<h4>Providers</h4>
				<p className="soft">
					Remote services that turns go to. <InTheFile name="providers" />
				</p>
				<ul>
					{providers.map((provider) => (
						<li key={provider.id}>
							<strong>
								<Untrusted text={providerNameOf(provider)} limit={60} />
							</strong>{' '}
							<Untrusted text={provider.baseUrl} limit={200} mono />
						</li>
					))}
				</ul>
			</div>
			<div className="file-list" data-setting="localServers">
				<h4>Local servers</h4>
				<p className="soft">
					Where models of this machine are looked for. <InTheFile name="localServers" />
				</p>
				<ul>
					{localServers.map(({ id, kind, baseUrl }) => (
						<li key={id}>
							<strong>{serverKindWords[kind]}</strong> <Untrusted text={baseUrl} limit={200} mono />
						</li>
					))}
				</ul>
			</div>
		</>
	);
}

export function ChainList({ chains }: { chains: Settings['models']['chains'] }) {
	return (
		<div className="file-list" data-setting="models.chains">
			<h4>Chains</h4>
			<p className="soft">
				Which models stand in for a limited one, in this order. <InTheFile name="models.chains" />
			</p>
			<ul>
				{chains.map(({ preferredModel, fallbackChain, cooldownMinutes }) => (
					<li key={preferredModel}>
						<Untrusted text={[preferredModel, ...fallbackChain].join(' → ')} limit={400} mono />{' '}
						<span className="quiet nowrap">tried again after {cooldownMinutes} min</span>
					</li>
				))}
			</ul>
		</div>
	);
}

/** The engine takes a change of the file up by itself. */
function InTheFile({ name }: { name: string }) {
	const status = useStatus();
	return (
		<span className="quiet">
			Changed in{' '}
			{status ? (
				<Untrusted text={`${status.dataDirectory}/settings.json`} mono limit={600} />
			) : (
				'the settings file'
			)}
			, under <code className="mono">{name}</code>; it holds at once.
		</span>
	);
}
