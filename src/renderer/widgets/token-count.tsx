import { compactNumber, exactNumber } from '../../shared/format.ts';

/** Three digits; the exact number on hover. */
export function TokenCount({ tokens }: { tokens: number }) {
	return <span title={`${exactNumber(tokens)} tokens`}>{compactNumber(tokens)}</span>;
}
