/** What is wrong with a file, in sentences for the operator. */
import { StoreError } from '../store/store-error.ts';

/** What happened, what it means, what to do. */
export function fileProblemWords(error: unknown): string {
	if (error instanceof StoreError) return `${error.message} ${error.meaning} ${error.remedy}`;
	return error instanceof Error ? error.message : String(error);
}
