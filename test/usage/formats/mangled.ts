import fc from 'fast-check';

/** A line, cut, with bytes changed, or no line at all. */
export function mangled(lines: readonly string[]): fc.Arbitrary<Buffer> {
	const cut = fc
		.tuple(fc.constantFrom(...lines), fc.nat(4000), fc.nat(4000))
		.map(([line, from, to]) => Buffer.from(line).subarray(Math.min(from, to), Math.max(from, to)));
	const changed = fc
		.tuple(fc.constantFrom(...lines), fc.array(fc.tuple(fc.nat(4000), fc.nat(255)), { maxLength: 5 }))
		.map(([line, changes]) => {
			const bytes = Buffer.from(line);
			for (const [at, byte] of changes) if (at < bytes.length) bytes[at] = byte;
			return bytes;
		});
	return fc.oneof(
		cut,
		changed,
		fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
	);
}
