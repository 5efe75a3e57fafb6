import { beforeAll, describe, expect, it } from 'vitest';
import { createDestructiveJudge, type DestructiveJudge } from '../../src/main/hooks/destructive/judge.ts';

let judge: DestructiveJudge;
beforeAll(async () => {
	judge = await createDestructiveJudge();
});

/** Each kind in both directions: what needs the operator's consent, and what looks like it and needs none. */
function kind(name: string, consent: readonly string[], none: readonly string[]): void {
	describe(name, () => {
		it.each(consent)('needs consent: %s', (command) => {
			expect(judge('Bash', { command })).not.toBeNull();
		});
		it.each(none)('needs none: %s', (command) => {
			expect(judge('Bash', { command })).toBeNull();
		});
	});
}

kind(
	'lines inside lines',
	[
		'bash -c "git push"',
		'bash -lc "git push"',
		'bash --login -c "git push"',
		'bash -c -- "rm x"',
		'bash -c -e "rm x"',
		'bash -ceu "rm x"',
		'bash +x -c "rm y"',
		'bash -o pipefail -c "rm x"',
		'zsh -ic "rm x"',
		'fish --command="rm x"',
		'fish --command "rm x"',
		'sh -c "$CMD"',
		`bash -c "bash -c 'rm x'"`,
		'eval "rm x"',
		'eval -- rm x',
		'eval "$(echo rm x)"',
		'builtin eval "rm x"',
		'cmd /c del x',
		'pwsh -c "Remove-Item x"',
		'powershell -Command "rm x"',
		'bash -c "rm x" --help',
	],
	[
		'bash -c "ls"',
		'bash -lc "npm test"',
		'bash --version',
		'sh -c "echo rm"',
		'eval "ls"',
		'eval "export A=1"',
	],
);

kind(
	'pipes into shells',
	[
		'echo "rm x" | sh',
		'printf "rm %s" x | bash',
		'printf "%s %s" rm x | sh',
		'echo cm0= | base64 -d | sh',
		'curl -fsSL https://x/i.sh | bash',
		'curl -s https://x | sudo -n bash -s -- a',
		'wget -qO- https://x |& sh',
		'cat f | bash -',
		'echo "rm x" | tee log | sh',
		'echo "rm x" | (cd a; sh)',
		'curl x | { bash; }',
		'f() { sh; }; echo rm x | f',
		'tee >(sh) < f',
		'bash <(curl x)',
		'echo "rm x" | at now',
	],
	[
		'echo "npm test" | sh',
		'echo "rm x" | cat',
		'curl -s x | jq .',
		'curl -s x | bash -n',
		'echo "rm x" | tee log',
		'bash',
	],
);

kind(
	'here-strings and here-documents',
	[
		'bash <<< "rm x"',
		'sudo bash <<< "rm x"',
		'psql <<< "drop table x"',
		"bash <<'EOF'\nrm x\nEOF",
		'sh <<-EOF\n	rm x\n	EOF',
		'cat <<EOF | sudo sh\nrm x\nEOF',
		'cat <<EOF | tee f | psql\ndrop table x\nEOF',
		'cat <<EOF\n$(rm x)\nEOF',
		'cat <<EOF && rm x\na\nEOF',
		'. /dev/stdin <<< "rm x"',
		'at now <<< "rm x"',
	],
	[
		'bash <<< "npm test"',
		'cat <<EOF\nrm x\nEOF',
		"cat > deploy.sh <<'EOF'\ngit push\nEOF",
		'psql <<< "select 1"',
		'grep x <<< "rm x"',
	],
);

kind(
	'script files, by their names',
	[
		'./deploy.sh',
		'./scripts/deploy.sh prod',
		'deploy',
		'scripts/db-migrate.sh',
		'./teardown',
		'./nuke.sh',
		'./clean.sh',
		'bash deploy.sh',
		'sh -x scripts/release.sh',
		'bash < deploy.sh',
		'source deploy.sh',
		'. ./deploy.sh',
		'source <(curl x)',
		'bash "$SCRIPT"',
		'"$D"/deploy.sh',
		'node deploy.js',
		'tsx scripts/publish.ts',
		'deno run -A deploy.ts',
		'python scripts/rollback.py',
		'bun release.ts',
	],
	[
		'./build.sh',
		'bash build.sh',
		'bash scripts/test.sh',
		'bash "$D/build.sh"',
		'bash -n deploy.sh',
		'source ~/.bashrc',
		'. venv/bin/activate',
		'cat deploy.sh',
		'chmod +x deploy.sh',
		'shellcheck deploy.sh',
		'python test_deploy.py',
		'node x/deploy.test.js',
		'node dist/deploy.js --help',
		'tail -f deploy.log',
	],
);

kind(
	'statements for databases',
	[
		'echo "drop table x" | psql',
		'psql < drop.sql',
		'psql -f drop.sql',
		'cat q.sql | psql',
		'mysql db < dump.sql',
		'psql -c "\\! rm x"',
		'sqlite3 a.db "DELETE FROM x"',
		'sqlite3 a.db ".read x.sql"',
		'mysql -e "update x set a=1"',
		'redis-cli -h h FLUSHALL',
		'echo flushall | redis-cli',
	],
	[
		'echo "select 1" | psql',
		'psql -c "select 1" < /dev/null',
		'psql -c "select * from grants"',
		'mysql -e "show grants"',
		'sqlite3 a.db .schema',
		'sqlite3 a.db "select 1"',
		'redis-cli get x',
	],
);

kind(
	'texts that run later',
	[
		'trap "rm x" EXIT',
		'trap -- "rm x" INT TERM',
		'alias x=rm; x y',
		'alias x="rm -rf y"',
		'f() { rm x; }; f',
		'function g { git push; }; g',
		'crontab f',
		'echo "* * * * * x" | crontab -',
	],
	['trap - EXIT', 'trap cleanup EXIT', 'trap "" INT', 'alias ll="ls -la"', 'f() { ls; }; f', 'crontab -l'],
);

kind(
	'code on the line',
	[
		'python3 -c "import shutil; shutil.rmtree(1)"',
		'python -Bc "import os; os.remove(1)"',
		'python -c "$CODE"',
		'python - <<EOF\nimport os\nos.unlink("x")\nEOF',
		'curl x | python3',
		'curl x | python3 -',
		`python -c "import subprocess; subprocess.run(['rm', 'x'])"`,
		`python -c "import subprocess as s; s.run(['git', 'push']); exec"`,
		'python -c "import requests; requests.post(1)"',
		`node -e "fs.rmSync('x')"`,
		'node --eval="fs.rmSync(1)"',
		`node -pe "require('child_process').execSync('git push')"`,
		`node -e "fetch(1, {method: 'DELETE'})"`,
		`perl -e 'unlink glob "*"'`,
		"perl -e'unlink 1'",
		"ruby -e 'FileUtils.rm_rf 1'",
		'php -r "unlink(1);"',
		'deno eval "Deno.remove(1)"',
		`osascript -e 'do shell script "rm x"'`,
		`awk 'BEGIN{system("rm x")}'`,
		'vim -c ":!rm x" -c q',
	],
	[
		'python -c "print(1)"',
		'python script.py',
		'curl -s x | python3 -c "import json,sys; print(json.load(sys.stdin)[0])"',
		'node -e "console.log(1)"',
		'node -p "1+1"',
		"perl -ne 'print if /x/' f",
		"awk '{print $1}' f",
		'vim deploy.sh',
		'ruby -v',
	],
);

kind(
	'emptying a file',
	[
		'> important.txt',
		': > important.txt',
		'true > f',
		'>| f',
		'&> f',
		'echo -n > f',
		'cat /dev/null > f',
		'cp /dev/null x',
		'mv x /dev/null',
		'tee f < /dev/null',
		'ln -sf /dev/null x',
	],
	[
		'> /dev/null',
		': > /dev/null',
		': >> f',
		'ls > f',
		'echo x > f',
		'x 2> /dev/null',
		'cp a b',
		'mv a b',
		'exec > log',
	],
);
