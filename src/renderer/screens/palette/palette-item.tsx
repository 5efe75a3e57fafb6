/** One line of the palette: a command with its key, or an agent with where it stands. */
import { Command as Cmdk } from 'cmdk';
import { clientWords } from '../../../shared/format.ts';
import { agentFacts, type PaletteEntry } from '../../store/palette-entries.ts';
import { LevelGlyph } from '../../widgets/level-glyph.tsx';
import { Untrusted } from '../../widgets/untrusted.tsx';

interface PaletteItemProps {
	/** Unlike that of every other line. */
	id: string;
	entry: PaletteEntry;
	onRun: () => void;
}

export function PaletteItem({ id, entry, onRun }: PaletteItemProps) {
	return (
		<Cmdk.Item value={id} className="palette-item" onSelect={onRun} data-testid="palette-item">
			{entry.kind === 'agent' ? (
				<>
					<LevelGlyph level={entry.agent.standing} />
					<span className="palette-words-of">
						<Untrusted text={entry.agent.name} limit={80} line />
					</span>
					<span className="palette-place">
						<Untrusted
							text={entry.agent.directory || clientWords(entry.agent.client)}
							limit={200}
							mono
							line
						/>
					</span>
					<span className="palette-end">{agentFacts(entry.agent)}</span>
				</>
			) : (
				<>
					<span className="palette-words-of">
						{entry.command.words}
						{entry.agent !== null && (
							<>
								{' '}
								<Untrusted text={entry.agent.name} limit={60} />
							</>
						)}
					</span>
					<span className="palette-end">
						{entry.command.keys.map((key) => (
							<kbd key={key}>{key}</kbd>
						))}
					</span>
				</>
			)}
		</Cmdk.Item>
	);
}
