/** What a model in a loop asks for, and what it reads of the floor meanwhile. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LOOPED, NOTES } from './home.mjs';

/** A model that nobody stops gives up by itself. */
export const MOST_REQUESTS = 300;

/** Repeats a failing command whatever it is told; once refused it tries a write and a read, and again when stopped. */
export class LoopingModel {
	requests = 0;
	/** Numbers of requests (0: never), and how each attempt ended. */
	read = { note: 0, refused: 0, write: '', read: '', stopped: 0, writeWhenStopped: '', readWhenStopped: '' };
	#home;
	#asked = 'loop';

	constructor(home) {
		this.#home = home;
	}

	async answer(said) {
		await sleep(50);
		this.requests += 1;
		this.#takeIn(said);
		this.#asked = this.#next();
		const { client, project } = this.#home;
		switch (this.#asked) {
			case 'write':
			case 'writeWhenStopped':
				return { toolCalls: [client.writes(join(project, `${this.#asked}.txt`))] };
			case 'read':
			case 'readWhenStopped':
				return { toolCalls: [client.reads(join(project, 'notes.txt'))] };
			case 'end':
				return { text: 'I was stopped and end my turn.' };
			default:
				return { toolCalls: [client.runs(LOOPED)] };
		}
	}

	#takeIn(said) {
		const { read, requests } = this;
		const isLimited = said.includes('limits this agent to reading');
		const isStopped = said.includes('Agent Floor stopped this agent');
		if (read.note === 0 && said.includes('(Agent Floor)')) read.note = requests;
		if (read.refused === 0 && isLimited) read.refused = requests;
		if (read.stopped === 0 && isStopped) read.stopped = requests;
		if (this.#asked === 'write') read.write = isLimited ? 'refused' : said.slice(0, 300);
		if (this.#asked === 'read') read.read = said.includes(NOTES) ? 'allowed' : said.slice(0, 300);
		if (this.#asked.endsWith('WhenStopped')) read[this.#asked] = isStopped ? 'refused' : said.slice(0, 300);
	}

	#next() {
		const { read } = this;
		if (this.requests >= MOST_REQUESTS) return 'end';
		if (read.stopped > 0) {
			if (this.#asked === 'readWhenStopped') return 'end';
			return this.#asked === 'writeWhenStopped' ? 'readWhenStopped' : 'writeWhenStopped';
		}
		if (this.#asked === 'write') return 'read';
		return read.refused > 0 && read.write === '' ? 'write' : 'loop';
	}
}
