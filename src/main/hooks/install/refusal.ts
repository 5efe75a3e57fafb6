/** Why a settings file was refused, in words for the person who asked. */
import { ChannelError } from '../../../shared/channels.ts';
import { errorCode } from './disk.ts';
import { UnreadableSettings } from './settings-document.ts';

/** True for what a person can put right: a file that cannot be merged, or that the system does not let us use. */
export function isRefusal(error: unknown): boolean {
	return error instanceof UnreadableSettings || errorCode(error) !== undefined;
}

export function reasonOf(error: unknown): string {
	switch (errorCode(error)) {
		case 'EACCES':
		case 'EPERM':
			return 'it or its directory is read-only for this user';
		case 'EROFS':
			return 'it is on a read-only file system';
		case 'EISDIR':
			return 'it is a directory';
		case 'ENOENT':
		case 'ENOTDIR':
			return 'the directory that should hold it does not exist';
		case 'ELOOP':
			return 'it is a link that leads to itself';
		case 'ENOSPC':
		case 'EDQUOT':
			return 'the disk is full';
		default:
			return error instanceof Error ? error.message : String(error);
	}
}

export function refusal(program: string, file: string, remove: boolean, error: unknown): ChannelError {
	return new ChannelError({
		code: 'refused-file',
		message: `${program}'s settings ${file} cannot be changed: ${reasonOf(error)}.`,
		meaning: remove
			? 'The file was left as it is. Sessions that read it go on calling the floor, and work on when it is not there.'
			: 'The file was left as it is. Sessions that read it are not seen by the floor.',
		remedy:
			error instanceof UnreadableSettings
				? `Correct line ${error.line}, column ${error.column} in an editor and try again.`
				: 'See to it that this user may write the file and its directory, and try again.',
	});
}

/** After every attempt found the file changed by somebody else. */
export function givenUp(program: string, file: string): ChannelError {
	return new ChannelError({
		code: 'refused-file',
		message: `${program}'s settings ${file} cannot be changed: another program keeps writing it.`,
		meaning: 'The file holds what that program wrote.',
		remedy: 'Close the program that writes this file and try again.',
	});
}
