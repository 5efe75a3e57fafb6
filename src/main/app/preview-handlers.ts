/** What other settings would have done. */
import type { RequestHandlers } from '../../shared/channels.ts';
import type { PreviewPart } from './preview-part.ts';

export type PreviewHandlers = Pick<RequestHandlers, 'settings:preview'>;

export function createPreviewHandlers(preview: PreviewPart): PreviewHandlers {
	return { 'settings:preview': ({ patch, from }) => preview.preview(patch, from) };
}
