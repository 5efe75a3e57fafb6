import { beforeAll, describe, expect, it } from 'vitest';
import { createDestructiveJudge, type DestructiveJudge } from '../../src/main/hooks/destructive/judge.ts';

let judge: DestructiveJudge;
beforeAll(async () => {
	judge = await createDestructiveJudge();
});
const bash = (command: string) => judge('Bash', { command });

describe('needs consent', () => {
	it.each([
		'git push',
		'git -C /repo push origin main --force',
		'git -c user.name=x push',
		'cd repo && git commit -m x && git push',
		'git reset --hard HEAD~3',
		'git clean -fdx',
		'git checkout -- .',
		'git restore src/app.ts',
		'git branch -D feature',
		'git stash drop',
		'rm -rf build',
		'rm file.txt',
		'\\rm file',
		'/bin/rm file',
		'"rm" file',
		"r'm' file",
		'rmdir x; ls',
		'ls | xargs rm',
		'find . -name "*.o" -delete',
		'find . -type f -exec rm {} +',
		'find . -exec sh -c "rm {}" \\;',
		'sudo rm -rf /var/x',
		'sudo -u deploy git push',
		'env A=1 B=2 git push',
		'A=1 git push',
		'env -S "git push"',
		'timeout 30 git push',
		'timeout -k 5 30s git push',
		'nohup git push &',
		'nice -n 10 rm x',
		'time rm x',
		'command rm x',
		'bash -c "git push"',
		"sh -lc 'cd x && rm -rf y'",
		'bash -c "rm -rf $DIR"',
		'eval "git push"',
		'eval "$CMD"',
		'$CMD --force',
		'"$(which rm)" x',
		'echo $(git push)',
		'echo `rm x`',
		'(cd a; rm b)',
		'if true; then rm x; fi',
		'for f in a b; do rm $f; done',
		'f() { git push; }; f',
		'diff <(rm x) y',
		'npm publish',
		'npm run deploy',
		'pnpm run deploy:prod',
		'yarn release',
		'make deploy',
		'cargo publish',
		'twine upload dist/*',
		'docker push me/app',
		'docker system prune -af',
		'docker compose down -v',
		'kubectl delete pod x',
		'kubectl -n prod apply -f x.yaml',
		'helm upgrade app ./chart',
		'terraform apply -auto-approve',
		'terraform state rm x',
		'ansible-playbook site.yml',
		'aws s3 rm s3://bucket --recursive',
		'aws ec2 terminate-instances --instance-ids i-1',
		'gcloud run deploy app',
		'gh pr merge 12 --squash',
		'gh api -X DELETE repos/x/y',
		'vercel --prod',
		'fly deploy',
		'curl -X POST https://example.com/deploy-hook',
		'curl -XDELETE https://example.com/x',
		'curl -d @body.json https://example.com',
		'curl --request POST https://example.com',
		'curl -sd x https://example.com',
		'wget --post-data=x https://example.com',
		'scp a host:/b',
		'rsync -a --delete a/ b/',
		'rsync -a a/ me@host:/b',
		'ssh host reboot',
		'psql -c "DROP TABLE users"',
		'psql -c "delete from users"',
		'redis-cli flushall',
		'dropdb app',
		'systemctl stop app',
		'dd if=/dev/zero of=/dev/sda',
		'truncate -s 0 log',
		'crontab -r',
		'git push\n',
		'git \\\n push',
		'unclosed "quote && git push',
	])('%s', (command) => {
		expect(bash(command)).not.toBeNull();
	});

	it.each([
		'mcp__github__push_files',
		'mcp__db__dropTable',
		'mcp__x__delete-item',
		'mcp__mail__send_message',
	])('tool %s', (tool) => {
		expect(judge(tool, {})).not.toBeNull();
	});

	it('also when the command is not told', () => {
		expect(judge('Bash', undefined)).not.toBeNull();
		expect(judge('Bash', { command: 7 })).not.toBeNull();
		expect(judge('PowerShell', { command: 'Remove-Item x -Recurse' })).not.toBeNull();
	});
});

describe('needs none', () => {
	it.each([
		'ls -la',
		'git status',
		'git commit -m "push the button"',
		'git log --oneline | head',
		'git restore --staged src/app.ts',
		'git clean -nd',
		'git checkout -b feature',
		'git stash',
		'git fetch',
		'git rm --cached x',
		'echo "rm -rf /"',
		"grep -r 'git push' docs",
		'npm test',
		'npm run build',
		'npm install',
		'make test',
		'cargo build --release',
		'docker ps',
		'docker build -t x .',
		'kubectl get pods',
		'terraform plan',
		'aws s3 ls',
		'gh pr view 12',
		'curl https://example.com',
		'curl -sSL -o out https://example.com',
		'curl -X GET https://example.com',
		'wget https://example.com',
		'scp host:/b a',
		'rsync -a a/ b/',
		'psql -c "select 1"',
		'find . -name "*.ts"',
		'cat file > other',
		'python script.py',
		'bash build.sh',
		'mkdir -p a/b',
		'sed -i s/a/b/ file',
		'systemctl status app',
		'',
	])('%s', (command) => {
		expect(bash(command)).toBeNull();
	});

	it.each(['Read', 'Edit', 'Write', 'mcp__github__list_issues', 'mcp__x__pushover_status'])(
		'tool %s',
		(tool) => {
			expect(judge(tool, { file_path: 'rm' })).toBeNull();
		},
	);
});
