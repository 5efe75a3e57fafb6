/**
 * The bridge: `window.agentFloor` and nothing more. It runs sandboxed, knows channel names but no schemas, and hands the
 * page neither `ipcRenderer` nor an event object.
 */
import { contextBridge, ipcRenderer } from 'electron';
import { isPushChannel, isRequestChannel, WINDOW_LISTENS } from '../shared/channel-names.ts';
import type { ChannelErrorData } from '../shared/channels.ts';
import { WINDOW_API_NAME, type WindowApi } from '../shared/window-api.ts';

let announced = false;

const api: WindowApi = {
	async request(channel, input) {
		if (!isRequestChannel(channel)) return { ok: false, error: unknownChannel };
		try {
			// Main answers every listed channel with a reply of this shape.
			return await ipcRenderer.invoke(channel, input);
		} catch {
			// The reason holds a path of main's code at most; the page can only ask again.
			return { ok: false, error: noAnswer };
		}
	},
	subscribe(channel, listener) {
		if (!isPushChannel(channel)) throw new TypeError('Agent Floor tells nothing on this channel.');
		const forward = (_event: unknown, payload: Parameters<typeof listener>[0]): void => listener(payload);
		ipcRenderer.on(channel, forward);
		if (!announced) {
			announced = true;
			// Pushes come in a later task, so whoever subscribes in this one misses none.
			ipcRenderer.send(WINDOW_LISTENS);
		}
		return () => {
			ipcRenderer.off(channel, forward);
		};
	},
};

const unknownChannel: ChannelErrorData = {
	code: 'invalid-argument',
	message: 'The window asked for something the floor does not offer.',
	meaning: 'Nothing was done; the agents go on as before.',
	remedy: 'Reload the window; if it happens again, the window and the floor are of different versions.',
};

const noAnswer: ChannelErrorData = {
	code: 'disconnected',
	message: 'The floor did not answer.',
	meaning: 'It is not known whether this was done.',
	remedy: 'Look at the agent before trying again; if the floor stays silent, restart it.',
};

contextBridge.exposeInMainWorld(WINDOW_API_NAME, api);
