/** The same request for another model of the same provider: every byte as it came, but the name of the model. */
import { visit } from 'jsonc-parser';
import type { JsonObject } from './protocol.ts';

/** `body`: as it came; `json`: the same, read. What came compressed goes out plain. */
export function bodyForModel(body: Uint8Array, json: JsonObject, model: string): Buffer {
	const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
	return renamed(text, model) ?? Buffer.from(JSON.stringify({ ...json, model }));
}

/** `null`: the text has no model that could be found, as a compressed one has not. */
function renamed(text: string, model: string): Buffer | null {
	const parts: string[] = [];
	let from = 0;
	let depth = 0;
	let isModel = false;
	let isJson = true;
	const down = (): void => {
		depth += 1;
		isModel = false;
	};
	const up = (): void => {
		depth -= 1;
	};
	visit(
		text,
		{
			onObjectBegin: down,
			onArrayBegin: down,
			onObjectEnd: up,
			onArrayEnd: up,
			onObjectProperty: (name) => {
				isModel = depth === 1 && name === 'model';
			},
			onLiteralValue: (_value, offset, length) => {
				if (isModel) {
					parts.push(text.slice(from, offset), JSON.stringify(model));
					from = offset + length;
				}
				isModel = false;
			},
			onError: () => {
				isJson = false;
			},
		},
		{ disallowComments: true },
	);
	return isJson && parts.length > 0 ? Buffer.from(parts.join('') + text.slice(from)) : null;
}
