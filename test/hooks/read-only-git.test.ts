import { judgeTable } from './judge-table.ts';

judgeTable('git', [
	`git
		git --version
		git status
		git status --porcelain=v1 -b
		git --no-pager log --oneline -5
		git log -p -- src/a.ts
		git log --format='%h %s' main..HEAD
		git log @{u}..HEAD
		git log --author=x --since='2 days ago'
		git diff
		git diff --stat HEAD~1
		git diff --cached -- a b
		git show HEAD
		git show HEAD:src/a.ts
		git show --stat HEAD^
		git blame -L 1,5 a
		git -C src status
		git -C "$x" status
		git -c color.ui=never diff
		git -c core.quotepath=off ls-files
		git rev-parse --show-toplevel
		git rev-parse HEAD
		git ls-files -m
		git ls-tree -r HEAD
		git cat-file -p HEAD
		git describe --tags
		git merge-base main HEAD
		git branch
		git branch -a
		git branch -vv
		git branch --show-current
		git branch --list 'feat/*'
		git branch --contains HEAD
		git branch -r --merged main
		git branch --sort=-committerdate --format='%(refname)'
		git tag
		git tag -l 'v*'
		git tag --list
		git tag -n5
		git tag --points-at HEAD
		git remote
		git remote -v
		git remote get-url origin
		git config --get user.name
		git config --list --show-origin
		git config -l
		git config --global --get-all a.b
		git config get user.name
		git stash list
		git stash show -p
		git worktree list
		git reflog
		git reflog show HEAD
		git reflog HEAD
		git grep -n foo
		git grep foo -- src
		git shortlog -sn HEAD
		git for-each-ref --format='%(refname)'
		git symbolic-ref --short HEAD
		git diff-tree -r HEAD
		git rev-list --count HEAD
		git check-ignore -v a`,
	`git commit -m x
		git add .
		git push
		git pull
		git fetch
		git checkout .
		git switch main
		git restore a
		git reset --hard
		git clean -fd
		git merge main
		git rebase main
		git cherry-pick a
		git revert a
		git rm a
		git mv a b
		git apply a
		git am a
		git init
		git clone a
		git gc
		git prune
		git fsck --lost-found
		git bisect run ls
		git submodule foreach ls
		git filter-branch
		git update-index a
		git update-ref a b
		git hash-object -w a
		git write-tree
		git archive HEAD
		git bundle create a HEAD
		git format-patch HEAD
		git send-email
		git daemon
		git instaweb
		git difftool
		git mergetool
		git help log
		git ls-remote ext::evil
		git st
		git evil
		git $x
		git "$x"
		git -c core.pager=./evil log
		git -c diff.external=./evil diff
		git -c alias.st='!evil' st
		git -c color.ui=$x diff
		git --exec-path=. log
		git --git-dir=x log
		git --work-tree=x log
		git -p log
		git --paginate log
		git --config-env=a=b log
		git -C
		git -C $x status
		git log --output=out
		git log --output out
		git log --outp=out
		git log --ou=out
		git diff --output=out
		git diff --ext-diff
		git diff --ext
		git show --output=out
		git log $x
		git log "$x"
		git log --$x
		git show "$x"
		git blame --output=x a
		git stash
		git stash push
		git stash pop
		git stash drop
		git stash list --output=x
		git branch foo
		git branch -d foo
		git branch -D foo
		git branch -m foo
		git branch -f foo HEAD
		git branch --list -D foo
		git branch -u origin/main
		git branch --edit-description
		git branch --merged main foo
		git branch -q foo
		git branch "$x"
		git tag v1
		git tag -a v1 -m x
		git tag -d v1
		git tag -l -d v1
		git tag -f v1
		git tag -v v1
		git remote add a b
		git remote remove a
		git remote set-url a b
		git remote show origin
		git remote update
		git remote prune origin
		git config user.name x
		git config user.name
		git config --unset a.b
		git config --get a.b --unset
		git config --edit
		git config -e
		git config --add a.b c
		git config set a.b c
		git config --get a.b -f x
		git worktree add a
		git worktree prune
		git reflog expire --all
		git reflog delete HEAD@{0}
		git reflog --output=x
		git grep -O foo
		git grep -Oless foo
		git grep -nO foo
		git grep --open-files-in-pager foo
		git grep --op foo
		git grep --textconv foo
		git cat-file --textconv HEAD:a
		git cat-file --filters HEAD:a
		git symbolic-ref HEAD refs/heads/a
		git symbolic-ref -d HEAD`,
]);
