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
	'git that others see or that no reflog brings back',
	[
		'git push',
		'Git push',
		'git  push',
		'git	push',
		'git --no-pager push',
		'git lfs push origin main',
		'git subtree push origin x',
		'git svn dcommit',
		'git p4 submit',
		'git checkout HEAD file.txt',
		'git checkout file.txt',
		'git checkout src/',
		'git checkout .',
		'git checkout -f',
		'git checkout -B x y',
		'git switch -C x',
		'git branch -f main HEAD~5',
		'git branch --force main HEAD~5',
		'git branch -M a b',
		'git branch -D a',
		'git tag -f v1',
		'git tag -af v1 -m x',
		'git tag -d v1',
		'git stash drop',
		'git worktree remove x',
		'git reflog expire --all',
		'git update-ref refs/heads/x HEAD~5',
		'git read-tree --reset -u HEAD',
		'git remote remove x',
		'git push -o --help',
	],
	[
		'git commit --amend --no-edit',
		'git rebase main',
		'git rebase -i HEAD~3',
		'git rebase --abort',
		'git stash',
		'git stash pop',
		'git stash list',
		'git am --abort',
		'git checkout main',
		'git checkout -b fix/a.b origin/main',
		'git checkout release/1.0',
		'git checkout v1.2',
		'git branch -a',
		'git branch -m new',
		'git branch --format="%(refname:short)"',
		'git tag -l',
		'git tag v1',
		'git reset HEAD x',
		'git clean -n',
		'git fetch --prune',
		'git pull',
		'git worktree add ../x',
		'git log --grep push',
		'git show HEAD:deploy.sh',
		'git commit -m "git push"',
		'git push --help',
		'git help push',
	],
);

kind(
	'commands inside git commands',
	[
		'git rebase -x "git push" HEAD~3',
		'git rebase -i --exec="git push" x',
		'git bisect run rm x',
		'git submodule foreach "git push"',
		'git submodule foreach --recursive rm x',
		'git -c alias.p=push p',
		'git -c alias.z="!rm x" z',
		'git -c core.sshCommand="rm x" fetch',
		'git config alias.x push && git x',
		'git config --global alias.x "!rm y"',
		'git difftool -x "rm x"',
	],
	[
		'git rebase -x "npm test" HEAD~3',
		'git bisect run npm test',
		'git bisect good',
		'git submodule foreach "git status"',
		'git submodule update',
		'git -c user.name=x commit -m y',
		'git -c core.pager=cat log',
		'git config user.name x',
		'git config alias.st status',
	],
);

kind(
	'other version control',
	['hg push', 'svn commit -m x', 'jj git push', 'p4 submit'],
	['hg status', 'svn status', 'jj log', 'p4 opened'],
);

kind(
	'forges',
	[
		'gh pr merge 3',
		'gh -R a/b pr merge 3',
		'gh --repo a/b pr merge 3',
		'gh release create v1',
		'gh workflow run x',
		'gh api -X DELETE repos/x',
		'gh api x -XPOST',
		'gh api --method=PATCH x',
		'gh api x -f a=b',
		'gh api x --input f',
		'gh api graphql -f query="mutation { x }"',
		'glab mr merge 3',
	],
	[
		'gh pr view 3',
		'gh -R a/b pr list',
		'gh pr checkout 3',
		'gh run view 1',
		'gh api repos/a/b',
		'gh api repos/a/b --jq .x',
		'gh api -X GET x -f a=b',
		'gh api graphql -f query="query { x }"',
		'gh pr merge --help',
	],
);
