/** Programs that delete or overwrite files and devices. Any of their words may be a file's name. */
import { always, type DestructiveRule, type Entries, has, operandsOf } from '../rule.ts';

/** Modes that take reading or writing from the owner: `000`, `a-rwx`, `u=`. */
const LOCKS_OUT =
	/^0*[0-57]?[0-5][0-7]{2}$|^0+$|(?:^|,)(?:[go]*[ua][ugoa]*)?(?:-[wxXst]*r|-[rxXst]*w|=x?(?:,|$))/;

const chmod: DestructiveRule = (words) => {
	const mode = words.find((word) => /^-[rwxXst]+$/.test(word)) ?? operandsOf(words)[0] ?? '';
	return has(words, /^(?:-[a-zA-Z]*R[a-zA-Z]*|--recursive)$/) && LOCKS_OUT.test(mode)
		? 'takes away the access to a directory (chmod -R)'
		: null;
};

const chown: DestructiveRule = (words) =>
	has(words, /^(?:-[a-zA-Z]*R[a-zA-Z]*|--recursive)$/) ? 'changes the owner of a directory (chown -R)' : null;

const NOTHING = '/dev/null';
/** The place it copies from, or moves to, is nothing. */
const emptied =
	(program: string): DestructiveRule =>
	(words) =>
		operandsOf(words, /^-[mogS]$/).includes(NOTHING)
			? `empties or deletes files (${program} ${NOTHING})`
			: null;

const tee: DestructiveRule = (words, { input }) =>
	input.kind === 'file' && input.name === NOTHING && !has(words, /^(?:-[a-z]*a|--append)/)
		? 'empties files (tee)'
		: null;

export const filePrograms: Entries = [
	['rm rmdir unlink shred srm trash trash-put grm gshred', always('deletes files')],
	['rimraf del-cli del erase rd remove-item', always('deletes files')],
	[
		'dd mkfs mke2fs newfs wipefs fdisk sfdisk parted mkswap truncate',
		always('deletes or overwrites a device or a file'),
	],
	['chmod', chmod],
	['chown chgrp', chown],
	['mv', emptied('mv')],
	['cp', emptied('cp')],
	['install', emptied('install')],
	['ln', emptied('ln')],
	['tee', tee],
	['tar gtar bsdtar', (words) => (has(words, /^--remove-files$/) ? 'deletes files (tar)' : null)],
];
