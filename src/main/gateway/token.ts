/** Constant-time comparison with one secret. */
import { timingSafeEqual } from 'node:crypto';

/** The returned check takes the same time whatever is given: only the secret's length, which is no secret, shows. */
export function secretCheck(secret: string): (given: string) => boolean {
	const expected = Buffer.from(secret);
	return (given) => {
		const padded = Buffer.alloc(expected.byteLength);
		padded.write(given);
		const isEqual = timingSafeEqual(padded, expected);
		return isEqual && Buffer.byteLength(given) === expected.byteLength;
	};
}
