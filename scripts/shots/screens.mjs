/** Every screen of the window, and how it is brought on. `documented`: the documentation shows it. */

const card = '[data-testid="agent-card"]:not([data-level="healthy"])';
const nowhere = async () => {};

/** The rail, or the address where a phone has no room for all of its entries. */
function page(name) {
	return async (window) => {
		await window.evaluate((hash) => {
			location.hash = hash;
		}, `#/${name}`);
		await window.locator(`.main[data-page="${name}"]`).waitFor();
	};
}

const floor = page('floor');

async function drawer(window, tab) {
	await floor(window);
	await window.locator(`${card} .agent-name`).first().click();
	await window.getByTestId('agent-drawer').waitFor();
	if (tab) await window.getByRole('tab', { name: tab }).click();
}

function dialog(testId) {
	return async (window) => {
		await floor(window);
		await window
			.locator(`[data-testid="${testId}"]`)
			.first()
			.evaluate((element) => element.click());
		await window.getByRole('dialog').waitFor();
	};
}

async function key(window, name) {
	await floor(window);
	await window.locator('.main').focus();
	await window.keyboard.press(name);
}

/** As a polling loop tells it. */
async function limited(window, { ask }, place) {
	await ask('model:report', { directory: place, outcome: 'rate-limit', said: '429 Too Many Requests' });
	await dialog('models-badge')(window);
}

export const screens = [
	{ name: 'floor', show: floor, leave: nowhere, documented: true },
	{
		name: 'cards',
		show: (window) => key(window, 'v'),
		leave: (window) => key(window, 'v'),
		documented: true,
	},
	{ name: 'repositories', show: (window) => key(window, 'b'), leave: (window) => key(window, 'b') },
	{ name: 'agent', show: (window) => drawer(window) },
	{ name: 'timeline', show: (window) => drawer(window, 'Timeline'), documented: true },
	{ name: 'arms', show: (window) => drawer(window, 'Arms'), documented: true },
	{ name: 'notes', show: (window) => drawer(window, /Notes/) },
	{ name: 'agent-usage', show: (window) => drawer(window, 'Usage') },
	{ name: 'changes', show: (window) => drawer(window, 'Changes') },
	{ name: 'incidents', show: page('incidents'), leave: nowhere, documented: true },
	{ name: 'insights', show: page('insights'), leave: nowhere, documented: true },
	{ name: 'connections', show: page('connections'), leave: nowhere },
	{ name: 'settings', show: page('settings'), leave: nowhere, documented: true },
	{ name: 'usage', show: dialog('usage-entry'), documented: true },
	{ name: 'outbox', show: dialog('outbox-badge') },
	{ name: 'palette', show: (window) => key(window, 'p'), documented: true },
	{ name: 'keys', show: (window) => key(window, '?') },
	{ name: 'first-run', show: nowhere, leave: nowhere, documented: true, ofFresh: true },
	{ name: 'models', show: limited, documented: true },
];
