/** The text in a small file's bytes, and back in the same form: what editors and both PowerShells write. */

export type TextEncoding =
	| 'utf-8'
	| 'utf-8-bom'
	| 'utf-16le'
	| 'utf-16be'
	/** No valid UTF-8: Windows PowerShell writes the system's code page. Each byte is kept as one character. */
	| 'single-byte';

export interface FileText {
	readonly text: string;
	readonly encoding: TextEncoding;
}

const boms: readonly (readonly [TextEncoding, readonly number[]])[] = [
	['utf-8-bom', [0xef, 0xbb, 0xbf]],
	['utf-16le', [0xff, 0xfe]],
	['utf-16be', [0xfe, 0xff]],
];

export function decodeFile(bytes: Uint8Array): FileText {
	const [encoding, bom] = boms.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte)) ?? [];
	const body = bytes.subarray(bom?.length ?? 0);
	if (encoding === 'utf-16le' || encoding === 'utf-16be') {
		// `ignoreBOM`: the one mark is off already, a second one is text.
		return { text: new TextDecoder(encoding, { ignoreBOM: true }).decode(body), encoding };
	}
	try {
		const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
		return { text, encoding: encoding ?? 'utf-8' };
	} catch {
		// Not UTF-8: read one to one, so that writing gives the same bytes.
		return { text: Array.from(body, (byte) => String.fromCharCode(byte)).join(''), encoding: 'single-byte' };
	}
}

export function encodeFile({ text, encoding }: FileText): Uint8Array {
	const bom = boms.find(([name]) => name === encoding)?.[1] ?? [];
	return Uint8Array.from([...bom, ...bodyOf(text, encoding)]);
}

function bodyOf(text: string, encoding: TextEncoding): Iterable<number> {
	if (encoding === 'utf-8' || encoding === 'utf-8-bom') return new TextEncoder().encode(text);
	const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
	if (encoding === 'single-byte') return units;
	return units.flatMap((unit) =>
		encoding === 'utf-16le' ? [unit & 0xff, unit >> 8] : [unit >> 8, unit & 0xff],
	);
}
