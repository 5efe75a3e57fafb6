/** How sure a share is that was counted on so many. */

/** Of the normal distribution, for 95 % on both sides. */
const Z = 1.959964;

/** Wilson's interval for `hits` of `count`; of nothing: everything is possible. */
export function wilson(hits: number, count: number): { readonly low: number; readonly high: number } {
	if (count === 0) return { low: 0, high: 1 };
	const share = hits / count;
	const spread = Z * Math.sqrt((share * (1 - share)) / count + (Z * Z) / (4 * count * count));
	const scale = 1 + (Z * Z) / count;
	const centre = share + (Z * Z) / (2 * count);
	return { low: Math.max(0, (centre - spread) / scale), high: Math.min(1, (centre + spread) / scale) };
}
