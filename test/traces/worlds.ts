/** The projects that agents work in: files, commands, and what these print. */
import type { Random } from './random.ts';
import type { TraceSet } from './trace.ts';

export interface World {
	readonly name: string;
	readonly set: TraceSet;
	readonly files: readonly string[];
	/** Identifiers that occur in it. */
	readonly names: readonly string[];
	readonly test: string;
	readonly check: string;
	readonly build: string;
	/** Results. `seconds` and `noise` differ from run to run and mean nothing. */
	readonly passed: (tests: number, noise: Random) => string;
	readonly failed: (place: Place, noise: Random) => string;
	readonly built: (modules: number, noise: Random) => string;
	readonly broken: (place: Place) => string;
	/** What a search says that finds nothing. */
	readonly nothing: string;
	readonly refused: (name: string) => string;
	/** Waits so many seconds, then asks for a job; and what that says. */
	readonly waitFor: (seconds: number, job: number) => string;
	readonly job: Readonly<Record<'waiting' | 'running' | 'done', string>>;
}

/** Where, and what. */
export interface Place {
	readonly file: string;
	readonly line: number;
	readonly name: string;
	/** How many of them fail. */
	readonly failing: number;
}

const seconds = (noise: Random, to = 9): string => noise.between(0.4, to).toFixed(2);
const clock = (noise: Random): string =>
	[noise.int(9, 18), noise.int(10, 59), noise.int(10, 59)].map(String).join(':');

const node: World = {
	name: 'node',
	set: 'tuning',
	files: `src/cart/total.ts src/cart/discount.ts src/cart/session.ts src/http/router.ts src/http/errors.ts
		src/store/index.ts src/store/migrate.ts src/mail/queue.ts src/mail/template.ts src/auth/token.ts src/auth/login.ts
		src/jobs/runner.ts src/jobs/schedule.ts src/api/orders.ts src/api/users.ts src/api/stock.ts`.split(/\s+/),
	names:
		`totalOf applyDiscount openSession matchRoute toProblem migrateUp enqueueMail renderTemplate signToken checkLogin
		runJob nextRun listOrders findUser reserveStock roundPrice parseQuery closePool`.split(/\s+/),
	test: 'npx vitest run',
	check: 'npx tsc --noEmit',
	build: 'npm run build',
	passed: (tests, noise) =>
		` ✓ ${tests} tests\n\n Test Files  ${Math.ceil(tests / 6)} passed\n      Tests  ${tests} passed (${tests})\n   Start at  ${clock(noise)}\n   Duration  ${seconds(noise)}s`,
	failed: ({ file, line, name, failing }, noise) =>
		` FAIL  test/${name}.test.ts > ${name} > keeps its promise\nAssertionError: expected undefined to be 42\n ❯ ${file}:${line}:17\n      Tests  ${failing} failed | 31 passed (${failing + 31})\n   Start at  ${clock(noise)}\n   Duration  ${seconds(noise)}s`,
	built: (modules, noise) =>
		`vite v8.3.8 building for production...\n✓ ${modules} modules transformed.\n✓ built in ${seconds(noise)}s`,
	broken: ({ file, line, name }) => `${file}(${line},9): error TS2304: Cannot find name '${name}'.`,
	nothing: 'No matches found',
	refused: (name) => `Permission to use it on ${name} was denied by the policy of this machine.`,
	waitFor: (wait, job) => `sleep ${wait}; gh run view ${job} --json status`,
	job: { waiting: 'queued, no runner is free', running: 'in_progress', done: 'completed  success' },
};

const python: World = {
	name: 'python',
	set: 'tuning',
	files:
		`app/models.py app/views.py app/forms.py app/tasks.py app/mail.py app/search.py app/billing/invoice.py
		app/billing/tax.py app/api/serializers.py app/api/urls.py app/auth/tokens.py app/auth/backends.py lib/cache.py
		lib/clock.py lib/retry.py lib/ids.py`.split(/\s+/),
	names:
		`total_of apply_tax open_invoice render_mail run_task find_user issue_token reindex make_slug next_due
		serialize_order load_cache with_retry parse_date close_session merge_rows`.split(/\s+/),
	test: 'pytest -q',
	check: 'mypy app',
	build: 'python -m build',
	passed: (tests, noise) =>
		`${'.'.repeat(Math.min(tests, 60))} [100%]\n${tests} passed in ${seconds(noise)}s`,
	failed: ({ file, line, name, failing }, noise) =>
		`F${'.'.repeat(20)}\n=== FAILURES ===\n___ test_${name} ___\n    assert ${name}(order) == 42\nE   AssertionError: assert None == 42\n${file}:${line}: AssertionError\ntmp dir: /tmp/pytest-of-dev/pytest-${noise.int(10, 900)}/\n${failing} failed, 20 passed in ${seconds(noise)}s`,
	built: (modules, noise) =>
		`* Building wheel...\nadding ${modules} files\nSuccessfully built app-1.4.0.tar.gz (${seconds(noise)}s)`,
	broken: ({ file, line, name }) => `${file}:${line}: error: Name "${name}" is not defined  [name-defined]`,
	nothing: '',
	refused: (name) => `${name}: Operation not permitted (sandbox)`,
	waitFor: (wait, job) => `sleep ${wait} && curl -s https://ci.example.com/jobs/${job}`,
	job: { waiting: '{"state":"waiting"}', running: '{"state":"running"}', done: '{"state":"passed"}' },
};

const golang: World = {
	name: 'go',
	set: 'tuning',
	files:
		`cmd/server/main.go internal/order/order.go internal/order/price.go internal/order/store.go internal/user/user.go
		internal/user/session.go internal/mail/mail.go internal/mail/queue.go internal/http/routes.go internal/http/errors.go
		internal/job/runner.go internal/job/cron.go pkg/clock/clock.go pkg/retry/retry.go`.split(/\s+/),
	names:
		`PriceOf ApplyRebate LoadOrder SaveOrder FindUser OpenSession SendMail DrainQueue Routes WriteError RunJob
		NextTick Now WithRetry ParseAmount CloseStore`.split(/\s+/),
	test: 'go test ./...',
	check: 'go vet ./...',
	build: 'go build ./...',
	passed: (tests, noise) =>
		`ok  \texample.com/app/internal/order\t${seconds(noise, 3)}s\nok  \texample.com/app/internal/user\t${seconds(noise, 3)}s\n# ${tests} tests`,
	failed: ({ file, line, name, failing }, noise) =>
		`--- FAIL: Test${name} (${seconds(noise, 2)}s)\n    ${file}:${line}: got 0, want 42\nFAIL\nFAIL\texample.com/app/internal/order\t${seconds(noise, 3)}s\n# ${failing} failed`,
	built: (modules) => `# ${modules} packages`,
	broken: ({ file, line, name }) => `${file}:${line}:14: undefined: ${name}`,
	nothing: 'No files found',
	refused: (name) => `Access to ${name} is blocked. Ask the operator.`,
	waitFor: (wait, job) => `sleep ${wait}; kubectl get job build-${job}`,
	job: { waiting: 'build   0/1   Pending', running: 'build   0/1   Running', done: 'build   1/1   Complete' },
};

const rust: World = {
	name: 'rust',
	set: 'held-out',
	files:
		`src/main.rs src/lexer.rs src/parser.rs src/ast.rs src/types.rs src/infer.rs src/codegen.rs src/link.rs
		src/emit/elf.rs src/emit/wasm.rs src/span.rs src/errors.rs src/cache.rs src/fmt.rs tests/golden.rs`.split(
			/\s+/,
		),
	names:
		`next_token parse_item lower_fn unify resolve_path emit_block relocate span_of report intern fold_const
		dead_code write_section pretty mono_items`.split(/\s+/),
	test: 'cargo test',
	check: 'cargo clippy --all-targets',
	build: 'cargo build --release',
	passed: (tests, noise) =>
		`    Finished \`test\` profile [unoptimized + debuginfo] target(s) in ${seconds(noise)}s\ntest result: ok. ${tests} passed; 0 failed; 0 ignored; finished in ${seconds(noise, 2)}s`,
	failed: ({ file, line, name, failing }, noise) =>
		`thread '${name}' (${noise.int(10_000, 99_000)}) panicked at ${file}:${line}:9:\nassertion \`left == right\` failed\n  left: 0\n right: 42\nnote: run with \`RUST_BACKTRACE=1\`\ntest result: FAILED. 44 passed; ${failing} failed; finished in ${seconds(noise, 2)}s`,
	built: (modules, noise) =>
		`   Compiling app v0.9.1 (/home/dev/app)\n    Finished \`release\` profile in ${seconds(noise, 60)}s\n# ${modules} crates`,
	broken: ({ file, line, name }) =>
		`error[E0425]: cannot find value \`${name}\` in this scope\n  --> ${file}:${line}:13`,
	nothing: 'Found 0 matches.',
	refused: (name) => `error: the tool call on '${name}' was rejected by the user's rules`,
	waitFor: (wait, job) => `sleep ${wait} && glab ci status --pipeline ${job}`,
	job: { waiting: 'created', running: 'running (stage 1 of 2)', done: 'success' },
};

const gradle: World = {
	name: 'gradle',
	set: 'held-out',
	files:
		`core/src/main/java/app/Ledger.java core/src/main/java/app/Booking.java core/src/main/java/app/Rates.java
		core/src/main/java/app/Periods.java web/src/main/java/app/web/LedgerView.java web/src/main/java/app/web/Login.java
		web/src/main/java/app/web/Filters.java jobs/src/main/java/app/jobs/Nightly.java jobs/src/main/java/app/jobs/Mailer.java
		core/src/test/java/app/LedgerTest.java build.gradle.kts settings.gradle.kts`.split(/\s+/),
	names:
		`book settle rateFor closePeriod openView signIn filterBy runNightly sendStatement balanceOf carryOver
		postEntry reverseEntry auditTrail`.split(/\s+/),
	test: './gradlew test',
	check: './gradlew compileJava',
	build: './gradlew assemble',
	passed: (tests, noise) => `BUILD SUCCESSFUL in ${noise.int(2, 40)}s\n${tests} tests completed, 0 failed`,
	failed: ({ file, line, name, failing }, noise) =>
		`LedgerTest > ${name}() FAILED\n    org.opentest4j.AssertionFailedError: expected: <42> but was: <0>\n        at ${file}:${line}\n${failing + 57} tests completed, ${failing} failed\nBUILD FAILED in ${noise.int(2, 40)}s\nGradle daemon pid: ${noise.int(2_000, 60_000)}`,
	built: (modules, noise) =>
		`BUILD SUCCESSFUL in ${noise.int(5, 70)}s\n${modules} actionable tasks: ${modules} executed`,
	broken: ({ file, line, name }) =>
		`${file}:${line}: error: cannot find symbol\n  symbol:   method ${name}()`,
	nothing: '(no results)',
	refused: (name) => `java.security.AccessControlException: access denied ("${name}")`,
	waitFor: (wait, job) => `timeout ${wait} tail -f /dev/null; jenkins-cli get-build app ${job}`,
	job: { waiting: 'In the quiet period', running: 'Building', done: 'SUCCESS' },
};

const ruby: World = {
	name: 'ruby',
	set: 'held-out',
	files: `app/models/post.rb app/models/comment.rb app/models/author.rb app/controllers/posts_controller.rb
		app/controllers/feeds_controller.rb app/jobs/digest_job.rb app/mailers/digest_mailer.rb lib/slug.rb lib/feed.rb
		lib/markdown.rb config/routes.rb db/schema.rb`.split(/\s+/),
	names:
		`publish retract slug_for digest feed_for render_markdown author_of moderate subscribe unsubscribe excerpt
		canonical_url touch_all`.split(/\s+/),
	test: 'bundle exec rspec',
	check: 'bundle exec rubocop',
	build: 'bin/rails assets:precompile',
	passed: (tests, noise) =>
		`${'.'.repeat(Math.min(tests, 60))}\n\nFinished in ${seconds(noise)} seconds (files took ${seconds(noise, 3)} seconds to load)\n${tests} examples, 0 failures\n\nRandomized with seed ${noise.int(1_000, 60_000)}`,
	failed: ({ file, line, name, failing }, noise) =>
		`F......\n\n  1) Post#${name} keeps its promise\n     Failure/Error: expect(post.${name}).to eq(42)\n       expected: 42\n            got: nil\n     # ./${file}:${line}\n\nFinished in ${seconds(noise)} seconds\n27 examples, ${failing} failures\n\nRandomized with seed ${noise.int(1_000, 60_000)}`,
	built: (modules) => `I, Writing ${modules} assets`,
	broken: ({ file, line, name }) => `${file}:${line}:5: E: Lint/Syntax: unexpected token ${name}`,
	nothing: 'Nothing matched the pattern.',
	refused: (name) => `Errno::EACCES: Permission denied @ ${name}`,
	waitFor: (wait, job) => `sleep ${wait}s; bin/jobs show ${job}`,
	job: { waiting: 'enqueued', running: 'performing', done: 'finished' },
};

const worlds: readonly World[] = [node, python, golang, rust, gradle, ruby];

export function worldFor(set: TraceSet, random: Random): World {
	return random.pick(worlds.filter((world) => world.set === set));
}

/** Part of a file: the same part is the same text, another part or another revision is another. */
export function fileText(world: World, path: string, from = 1, lines = 12, revision = 0): string {
	const { names } = world;
	const shift = [...path].reduce((sum, character) => sum + character.charCodeAt(0), revision * 31);
	return Array.from({ length: lines }, (_, offset) => {
		const line = from + offset;
		const at = (index: number): string => names[(shift + line * index) % names.length] ?? 'main';
		return `${line}: ${at(3)}(${at(5)}, ${(shift * line) % 97})`;
	}).join('\n');
}
