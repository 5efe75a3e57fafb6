/** The short soft tones of notices: two that rise for what needs you, one that falls for what is done. No file, no network. */
import type { Notice } from '../../shared/notice.ts';

/** One note: its pitch in Hz, and when it begins, in seconds. */
export interface Note {
	readonly hz: number;
	readonly at: number;
}

const notes: Record<Notice['kind'], readonly Note[]> = {
	'needs-you': [
		{ hz: 587.3, at: 0 },
		{ hz: 880, at: 0.14 },
	],
	done: [{ hz: 440, at: 0 }],
};

/** A quiet room stays quiet: 1 is as loud as can be. */
const LOUDNESS = 0.08;
const NOTE_SECONDS = 0.45;

export function notesOf(kind: Notice['kind']): readonly Note[] {
	return notes[kind];
}

/** A browser may keep a page silent until it was clicked; then nothing is heard, and the notice stands all the same. */
export function playChime(audio: AudioContext, kind: Notice['kind']): void {
	for (const { hz, at } of notes[kind]) {
		const begin = audio.currentTime + at;
		const tone = audio.createOscillator();
		const gain = audio.createGain();
		tone.type = 'sine';
		tone.frequency.value = hz;
		gain.gain.setValueAtTime(0, begin);
		gain.gain.linearRampToValueAtTime(LOUDNESS, begin + 0.02);
		gain.gain.exponentialRampToValueAtTime(0.0001, begin + NOTE_SECONDS);
		tone.connect(gain).connect(audio.destination);
		tone.start(begin);
		tone.stop(begin + NOTE_SECONDS);
	}
}
