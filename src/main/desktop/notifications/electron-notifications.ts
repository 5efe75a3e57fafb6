/** Electron's notifications behind the interface of `NotificationService`. */
import { Notification } from 'electron';
import type { NotificationFactory } from './notification-service.ts';

export const electronNotifications: NotificationFactory = {
	isSupported: () => Notification.isSupported(),
	show({ key, title, body, sound }, { onClick, onClosed, onFailed }) {
		// The id replaces an older notification of the same cause where the system knows ids (macOS, Windows).
		const notification = new Notification({ id: key, title, body, silent: !sound });
		notification.on('click', onClick);
		notification.on('close', onClosed);
		notification.on('failed', (_event, error) => onFailed(new Error(error)));
		notification.show();
		return { close: () => notification.close() };
	},
};
