/** Which model gave an answer, and where it ran: "local · qwen3-coder:30b". Local is marked by its word, shape and outline. */
import { modelWords } from '../../shared/format.ts';
import { Untrusted } from './untrusted.tsx';
import './model-tag.css';

export function ModelTag({ harness, model }: { harness: 'local' | 'cloud'; model: string }) {
	return (
		<span className={`model-tag model-${harness}`}>
			{harness === 'local' && <LocalGlyph />}
			<span className="nowrap">{harness} ·</span>
			<Untrusted text={modelWords(model)} limit={80} line />
		</span>
	);
}

/** A machine on its own foot. */
function LocalGlyph() {
	return (
		<svg className="model-glyph" width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
			<path d="M.5 1h9v6h-9zM2.5 8.5h5" />
		</svg>
	);
}
