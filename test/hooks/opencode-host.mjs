/** Stands in for opencode: loads plugins, calls their hooks as it is told, and says what came of it. */
const [, , directory, ...plugins] = process.argv;
const asked = [];
const client = {
	session: {
		abort: async ({ path }) => asked.push(['abort', path.id]),
		get: async ({ path }) => ({
			data: { id: path.id, parentID: path.id === 'ses_resumed_child' ? 'ses_1' : undefined },
		}),
	},
	tui: { showToast: async ({ body }) => asked.push(['toast', body.message]) },
};
const hooks = [];
for (const plugin of plugins) {
	const { AgentFloor } = await import(plugin);
	hooks.push(await AgentFloor({ client, directory }));
}

process.on('message', async ({ id, hook, input, output, of = 0 }) => {
	let error = null;
	try {
		await hooks[of][hook]?.(input, output);
	} catch (thrown) {
		error = thrown.message;
	}
	process.send({ id, output, error, asked, hooks: hooks.map((one) => Object.keys(one).length) });
});
process.send({ id: 0 });
