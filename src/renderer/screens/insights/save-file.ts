import type { ExportFile } from '../../../shared/insights-view.ts';

/** Hands a file to the browser's own saving. */
export function saveFile({ name, mediaType, text }: ExportFile): void {
	const address = URL.createObjectURL(new Blob([text], { type: mediaType }));
	const link = document.createElement('a');
	link.href = address;
	link.download = name;
	link.click();
	// After the click was taken: an address that is gone at once saves nothing in some browsers.
	setTimeout(() => URL.revokeObjectURL(address), 0);
}
