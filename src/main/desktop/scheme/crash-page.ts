/** The page shown when the window's own page died too often: static, without script, honest about what goes on. */
import { createHash } from 'node:crypto';
import type { CrashCause } from '../window/reload-policy.ts';

export const CRASH_PAGE_PATH = '/crashed';

const causes: Record<CrashCause, string> = {
	crashed: 'Its process crashed several times within a minute.',
	memory: 'Its process ran out of memory several times within a minute.',
	killed: 'Its process was ended from outside several times within a minute.',
	'cannot-start': 'Its process cannot be started on this system.',
};

const style = `:root { color-scheme: light dark; }
body { margin: 0; min-height: 100vh; display: grid; place-content: center; padding: 2rem; box-sizing: border-box;
	font: 0.875rem/1.5 system-ui, sans-serif; color: light-dark(#14191c, #e5eaec); background: light-dark(#edf0f1, #101416); }
main { max-width: 34rem; }
h1 { font-size: 1.625rem; font-weight: 600; margin: 0 0 1rem; }
p { margin: 0 0 1rem; }
a { color: light-dark(#0a5b98, #7fc5f7); }`;
const styleHash = createHash('sha256').update(style).digest('base64');

/** The page for a cause; an unknown cause is a plain crash. Its policy allows its own style sheet and nothing else. */
export function crashPage(cause: string | null, headers: Record<string, string>): Response {
	const why = cause !== null && Object.hasOwn(causes, cause) ? causes[cause as CrashCause] : causes.crashed;
	return new Response(page(why), {
		headers: {
			...headers,
			'content-type': 'text/html; charset=utf-8',
			'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
		},
	});
}

function page(why: string): string {
	return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Agent Floor: the window crashed</title>
<style>${style}</style></head>
<body><main>
<h1>The window crashed</h1>
<p>${why} It was not loaded again, so that it does not crash without end.</p>
<p>The floor itself goes on: agents are watched, steered, constrained and stopped as before. Only this view of them is missing.</p>
<p><a href="/">Load the window again</a>. If that does not help, quit Agent Floor and start it again.</p>
</main></body>
</html>
`;
}
