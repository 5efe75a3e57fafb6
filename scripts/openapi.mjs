/**
 * `node scripts/openapi.mjs`: writes docs/openapi.json from the schemas of the HTTP surface. The libraries that do it are
 * used here alone; the running floor never loads them.
 */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import swagger from '@fastify/swagger';
import Fastify from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { describedRoutes } from '../src/main/server/openapi.ts';
import { tags } from '../src/main/server/openapi-route.ts';
import { nameSchemas } from '../src/main/server/openapi-schemas.ts';

const target = join(import.meta.dirname, '..', 'docs', 'openapi.json');

/** @returns {Promise<string>} the file's text, the same on every run */
export async function generateOpenapi() {
	const app = Fastify({ exposeHeadRoutes: false });
	// Nothing is served here: the schemas are only read.
	app.setValidatorCompiler(() => () => true);
	app.setSerializerCompiler(() => JSON.stringify);
	nameSchemas();
	await app.register(swagger, {
		openapi: {
			openapi: '3.1.0',
			info: {
				title: 'Agent Floor',
				version: '1',
				description:
					'The one loopback listener of the floor. `Host` and `Origin` are checked on every request, tokens before a body is read.',
			},
			servers: [{ url: 'http://127.0.0.1:47100' }],
			tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
			components: { securitySchemes },
		},
		transform: jsonSchemaTransform,
		transformObject: jsonSchemaTransformObject,
	});
	await app.register(async (routes) => {
		for (const described of describedRoutes()) routes.route(asFastifyRoute(described));
	});
	await app.ready();
	const document = app.swagger();
	await app.close();
	return `${JSON.stringify(withoutUnused(document), null, '\t')}\n`;
}

const securitySchemes = {
	operatorToken: { type: 'http', scheme: 'bearer', description: '`operatorToken` of server.json' },
	operatorCookie: {
		type: 'apiKey',
		in: 'cookie',
		name: 'agent_floor_47100',
		description: 'Set when a window is opened; the name holds the port',
	},
	agentToken: { type: 'http', scheme: 'bearer', description: '`agentToken` of server.json' },
};

const security = {
	operator: [{ operatorToken: [] }, { operatorCookie: [] }],
	agent: [{ agentToken: [] }],
	'agent-path': [],
	anyone: [],
};

function asFastifyRoute(described) {
	const { method, shown, operationId, tag, summary, description, caller, params, query, body, responses } =
		described;
	return {
		method,
		url: shown,
		handler: () => undefined,
		schema: {
			operationId,
			tags: [tag],
			summary,
			...(description && { description }),
			security: security[caller],
			...(params && { params }),
			...(query && { querystring: query }),
			...(body && { body }),
			response: Object.fromEntries(
				Object.entries(responses).map(([status, response]) => [status, asFastifyResponse(response)]),
			),
		},
	};
}

/** A body of type null is how the plugin is told that there is none. */
function asFastifyResponse({ description, content }) {
	const types = Object.entries(content);
	if (types.length === 0) return z.null().describe(description);
	return { description, content: Object.fromEntries(types.map(([type, schema]) => [type, { schema }])) };
}

/** Each named schema is made for requests and for replies; what nothing refers to is left out. */
function withoutUnused(document) {
	const { schemas, ...others } = document.components;
	const used = new Set();
	const find = (value) => {
		for (const [, name] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
			if (used.has(name)) continue;
			used.add(name);
			find(schemas[name]);
		}
	};
	find(document.paths);
	const kept = [...used].sort().map((name) => [name, schemas[name]]);
	return { ...document, components: { ...others, schemas: Object.fromEntries(kept) } };
}

if (process.argv[1] && resolve(process.argv[1]) === import.meta.filename) {
	writeFileSync(target, await generateOpenapi());
	console.log('docs/openapi.json');
}
