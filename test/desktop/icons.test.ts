import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
	countMark,
	FALLBACK_IMAGE_FILE,
	overlayImageFile,
	trayImageFile,
} from '../../src/main/desktop/tray/icon-files.ts';

const icons = ['calm', 'attention', 'urgent', 'lost'] as const;
const counts = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 400];
const read = (file: string): Buffer => readFileSync(resolve(import.meta.dirname, '../../resources', file));

/** Size and pixels (RGBA) of a PNG as the icon script writes it: 8 bits, no filter. */
function decode(file: string): { size: number; pixels: Buffer } {
	const data = read(file);
	expect(data.subarray(1, 4).toString('latin1'), file).toBe('PNG');
	const size = data.readUInt32BE(16);
	const start = data.indexOf('IDAT', 0, 'latin1');
	const rows = inflateSync(data.subarray(start + 4, start + 4 + data.readUInt32BE(start - 4)));
	const row = size * 4 + 1;
	return {
		size,
		pixels: Buffer.concat(Array.from({ length: size }, (_, y) => rows.subarray(y * row + 1, (y + 1) * row))),
	};
}

/** An image that is one colour all over, or empty, tells nothing. */
function isDrawn({ pixels }: { pixels: Buffer }): boolean {
	const alphas = new Set(pixels.filter((_, index) => index % 4 === 3));
	return alphas.size > 1;
}

const double = (file: string): string => file.replace(/\.png$/, '@2x.png');

describe('the count on an icon', () => {
	it('is capped', () => {
		expect(counts.map(countMark)).toEqual([null, '1', '2', '3', '4', '5', '6', '7', '8', '9', '9+', '9+']);
	});
});

describe('the icon files', () => {
	it.each(icons)(
		'Linux: %s, in both densities, with the count drawn in where it asks for the operator',
		(icon) => {
			for (const count of counts) {
				const file = trayImageFile('linux', icon, count);
				expect([decode(file).size, decode(double(file)).size], file).toEqual([22, 44]);
				expect(isDrawn(decode(file)), file).toBe(true);
			}
			const distinct = new Set(counts.map((count) => trayImageFile('linux', icon, count)));
			expect(distinct.size).toBe(icon === 'urgent' ? 11 : 1);
		},
	);

	it.each(icons)('macOS: %s is a template, black and alpha only, in both densities', (icon) => {
		const file = trayImageFile('darwin', icon, 3);
		expect(file).toMatch(/Template\.png$/);
		for (const name of [file, double(file)]) {
			const image = decode(name);
			expect(isDrawn(image), name).toBe(true);
			expect(
				image.pixels.every((value, index) => index % 4 === 3 || value === 0),
				name,
			).toBe(true);
		}
		expect([decode(file).size, decode(double(file)).size]).toEqual([18, 36]);
	});

	it.each(icons)('Windows: %s holds the sizes of every scale', (icon) => {
		const data = read(trayImageFile('win32', icon, 3));
		expect([data.readUInt16LE(0), data.readUInt16LE(2)]).toEqual([0, 1]);
		const entries = Array.from({ length: data.readUInt16LE(4) }, (_, index) => {
			const at = 6 + index * 16;
			return {
				size: data.readUInt8(at),
				bytes: data.readUInt32LE(at + 8),
				offset: data.readUInt32LE(at + 12),
			};
		});
		expect(entries.map(({ size }) => size)).toEqual([16, 20, 24, 32, 48]);
		for (const { size, bytes, offset } of entries) {
			expect([data.readUInt32LE(offset), data.readInt32LE(offset + 4), data.readInt32LE(offset + 8)]).toEqual(
				[40, size, size * 2],
			);
			expect(offset + bytes).toBeLessThanOrEqual(data.length);
		}
	});

	it('tells the four icons apart without colour', () => {
		const shapes = icons.map((icon) => decode(trayImageFile('darwin', icon, 0)).pixels.toString('hex'));
		expect(new Set(shapes).size).toBe(icons.length);
	});

	it('has an overlay for each count and none for zero', () => {
		expect(overlayImageFile(0)).toBeNull();
		for (const count of counts.filter((count) => count > 0)) {
			const file = overlayImageFile(count) ?? '';
			expect([decode(file).size, decode(double(file)).size], file).toEqual([16, 32]);
		}
	});

	it('has the images of the app itself', () => {
		expect([decode('icon.png').size, decode(FALLBACK_IMAGE_FILE).size]).toEqual([1024, 32]);
	});
});
