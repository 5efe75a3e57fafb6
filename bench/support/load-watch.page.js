/**
 * Runs inside the page of the load benchmark, before anything of the page's own: it watches frames and tasks, and plays
 * an hour of deltas at speed. `window.loadWatch` is the way in.
 */
(() => {
	const watch = { firstCardMs: 0, gaps: [], tasks: [] };
	/** The last ten seconds of deltas, as they came. */
	const deltas = [];
	/** @type {WebSocket | null} */
	let socket = null;
	let last = 0;

	const onFrame = (now) => {
		if (watch.firstCardMs === 0 && document.querySelector('[data-testid="agent-card"]')) {
			watch.firstCardMs = now;
		}
		if (last > 0) watch.gaps.push(now - last);
		last = now;
		requestAnimationFrame(onFrame);
	};
	requestAnimationFrame(onFrame);

	new PerformanceObserver((list) => {
		for (const { duration } of list.getEntries()) watch.tasks.push(duration);
	}).observe({ type: 'longtask', buffered: true });

	const Native = window.WebSocket;
	window.WebSocket = class extends Native {
		constructor(url, protocols) {
			super(url, protocols);
			socket = this;
			this.addEventListener('message', ({ data, isTrusted }) => {
				if (!isTrusted || !data.includes('"push":"floor:delta"')) return;
				deltas.push(data);
				if (deltas.length > 100) deltas.shift();
			});
		}
	};

	window.loadWatch = {
		/** What was seen since the last call. */
		read() {
			const { gaps, tasks, firstCardMs } = watch;
			watch.gaps = [];
			watch.tasks = [];
			const sorted = gaps.toSorted((one, other) => one - other);
			return {
				firstCardMs,
				frames: gaps.length,
				frameP99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
				longestFrameMs: sorted.at(-1) ?? 0,
				framesOver50: gaps.filter((gap) => gap > 50).length,
				longTasks: tasks.length,
				longestTaskMs: Math.max(0, ...tasks),
			};
		},

		/**
		 * Gives the page's own socket what it got before, again and again with numbers that go on, until `wanted` deltas
		 * were given or the time is over. Several for each frame.
		 */
		async replay(wanted, seconds) {
			const known = deltas.map((text) => JSON.parse(text));
			if (socket === null || known.length === 0) return 0;
			let sequence = Math.max(...known.map(({ payload }) => payload.sequence));
			const until = performance.now() + seconds * 1000;
			let given = 0;
			while (given < wanted && performance.now() < until) {
				const frame = performance.now();
				while (given < wanted && performance.now() - frame < 40) {
					sequence += 1;
					const message = known[given % known.length];
					message.payload.sequence = sequence;
					socket.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message) }));
					given += 1;
				}
				await new Promise((next) => requestAnimationFrame(next));
			}
			return given;
		},
	};
})();
