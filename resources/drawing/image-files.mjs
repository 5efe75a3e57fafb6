/** Painting shapes into pixels, and pixels into PNG and ICO files. Nothing but Node. */
import { crc32, deflateSync } from 'node:zlib';

/**
 * Paints layers, the lowest first, with soft edges one pixel wide.
 * @param {number} size pixels
 * @param {{ shape: import('./shapes.mjs').Shape, colour: string }[]} layers colour as #rrggbb
 * @returns {{ size: number, pixels: Buffer }} RGBA, not premultiplied
 */
export function paint(size, layers) {
	const pixels = Buffer.alloc(size * size * 4);
	for (let row = 0; row < size; row += 1) {
		for (let column = 0; column < size; column += 1) {
			const pixel = blend(layers, (column + 0.5) / size, (row + 0.5) / size, size);
			pixels.set(pixel, (row * size + column) * 4);
		}
	}
	return { size, pixels };
}

function blend(layers, x, y, size) {
	let [red, green, blue, alpha] = [0, 0, 0, 0];
	for (const { shape, colour } of layers) {
		const cover = Math.min(1, Math.max(0, 0.5 - shape(x, y) * size));
		if (cover === 0) continue;
		const [r, g, b] = channels(colour);
		const under = alpha * (1 - cover);
		const sum = cover + under;
		red = (r * cover + red * under) / sum;
		green = (g * cover + green * under) / sum;
		blue = (b * cover + blue * under) / sum;
		alpha = sum;
	}
	return [red, green, blue, alpha * 255].map(Math.round);
}

function channels(colour) {
	return [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16));
}

/** @returns {Buffer} a PNG file, 8 bits a channel with alpha */
export function png({ size, pixels }) {
	const header = Buffer.alloc(13);
	header.writeUInt32BE(size, 0);
	header.writeUInt32BE(size, 4);
	header.set([8, 6, 0, 0, 0], 8);
	const rows = Buffer.alloc(size * (size * 4 + 1));
	for (let row = 0; row < size; row += 1) {
		pixels.copy(rows, row * (size * 4 + 1) + 1, row * size * 4, (row + 1) * size * 4);
	}
	const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
	return Buffer.concat([
		signature,
		chunk('IHDR', header),
		chunk('IDAT', deflateSync(rows, { level: 9 })),
		chunk('IEND', Buffer.alloc(0)),
	]);
}

function chunk(type, data) {
	const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
	const framed = Buffer.alloc(body.length + 8);
	framed.writeUInt32BE(data.length, 0);
	body.copy(framed, 4);
	framed.writeUInt32BE(crc32(body), body.length + 4);
	return framed;
}

/** @returns {Buffer} an ICO file: bitmaps, which every reader knows, and PNG for 256 pixels */
export function ico(images) {
	const entries = images.map((image) => ({ ...image, data: image.size >= 256 ? png(image) : bitmap(image) }));
	const directory = Buffer.alloc(6 + entries.length * 16);
	directory.writeUInt16LE(1, 2);
	directory.writeUInt16LE(entries.length, 4);
	let offset = directory.length;
	for (const [index, { size, data }] of entries.entries()) {
		const at = 6 + index * 16;
		directory.set([size % 256, size % 256, 0, 0], at);
		directory.writeUInt16LE(1, at + 4);
		directory.writeUInt16LE(32, at + 6);
		directory.writeUInt32LE(data.length, at + 8);
		directory.writeUInt32LE(offset, at + 12);
		offset += data.length;
	}
	return Buffer.concat([directory, ...entries.map(({ data }) => data)]);
}

/** A device-independent bitmap, bottom row first, followed by an empty mask: alpha says it all. */
function bitmap({ size, pixels }) {
	const maskRow = Math.ceil(size / 32) * 4;
	const data = Buffer.alloc(40 + size * size * 4 + maskRow * size);
	data.writeUInt32LE(40, 0);
	data.writeInt32LE(size, 4);
	data.writeInt32LE(size * 2, 8);
	data.writeUInt16LE(1, 12);
	data.writeUInt16LE(32, 14);
	for (let row = 0; row < size; row += 1) {
		for (let column = 0; column < size; column += 1) {
			const from = ((size - 1 - row) * size + column) * 4;
			const [red, green, blue, alpha] = pixels.subarray(from, from + 4);
			data.set([blue, green, red, alpha], 40 + (row * size + column) * 4);
		}
	}
	return data;
}
