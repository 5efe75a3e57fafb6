import { describe, expect, test } from 'vitest';
import { createReadOnlyJudge } from '../../src/main/hooks/read-only/judge.ts';

const judge = await createReadOnlyJudge();
const bash = (command: string) => judge('Bash', { command });

/** One row: the program, what only reads, what does not. Commands are separated by line breaks. */
const table: Readonly<Record<string, readonly [reads: string, refused: string]>> = {
	'plain readers': [
		`ls
		ls -la src test
		/bin/ls
		/usr/bin/wc -l a
		cat a b c
		tac a
		head -n 5 a
		tail -n +5 a
		tail -f a.log
		wc -l *.ts
		grep -rn "foo bar" src
		grep -c '^import' a
		egrep 'a|b' a
		cut -d: -f1 /etc/passwd
		tr a-z A-Z
		nl a
		od -c a
		hexdump -C a
		strings a
		stat a
		du -sh .
		df -h
		pwd
		whoami
		id -u
		uname -a
		printenv HOME
		echo hello $USER
		true
		false
		:
		which node
		type ls
		basename /a/b
		dirname "$x"
		realpath .
		readlink -f a
		diff -u a b
		cmp a b
		comm -12 a b
		jq '.dependencies | keys' package.json
		jq -r .version package.json
		ps aux
		ps -ef
		pgrep -fl node
		cd src
		sleep 1
		seq 1 10
		sha256sum a
		md5sum -c sums
		expr 1 + 2
		nproc
		free -m
		uptime`,
		`rm a
		rm -rf /
		mv a b
		cp a b
		touch a
		mkdir d
		rmdir d
		ln -s a b
		chmod +x a
		chown me a
		dd if=a of=b
		tee a
		truncate -s 0 a
		install a b
		shred a
		unlink a
		kill 1
		pkill node
		killall node
		crontab -r
		reboot
		make
		make test
		npm test
		npx vitest
		yarn
		pnpm i
		cargo build
		go run .
		python a.py
		python3 -c 'print(1)'
		node -e 1
		node a.js
		ruby a.rb
		perl -e 1
		perl -ne print a
		php a.php
		sh a.sh
		bash -c ls
		zsh -c ls
		dash a
		curl http://localhost
		wget x
		nc -l 1
		ssh host ls
		scp a b:
		rsync a b
		docker ps
		kubectl get pods
		sudo ls
		su -c ls
		doas ls
		open a
		xdg-open a
		vim a
		vi a
		nano a
		emacs a
		ed a
		ex a
		less a
		more a
		man ls
		awk '{print}' a
		gawk 1 a
		mawk 1 a
		patch -p1
		tar xf a
		tar tf a
		zip a b
		unzip a
		gzip a
		split a
		csplit a 1
		mktemp
		mkfifo a
		watch ls
		parallel ls
		nohup ls
		setsid ls
		script a
		ldd a
		eval ls
		exec ls
		source a
		. a
		trap ls EXIT
		alias ls=rm
		export A=1
		declare -x A
		local a
		readonly a
		typeset a
		unset PATH
		shopt -s extglob
		hash -p /tmp/ls ls
		enable -n test
		builtin eval ls
		bind x
		complete x
		mapfile a
		readarray a
		getopts a b
		let x=1
		pushd /tmp
		popd
		dirs
		umask 0
		ulimit -n 1
		wait
		disown
		bg
		fg
		history -c
		fc -e vi
		return
		caller
		logger x
		./ls
		../ls
		bin/ls
		/tmp/ls
		/usr/local/bin/ls
		/bin/../tmp/ls
		~/bin/ls
		/bin/sh
		/usr/bin/env rm a
		LS
		Ls`,
	],
	find: [
		`find
		find . -name '*.ts'
		find . -name "$pattern" -print
		find src test -type f -newer a
		find . -maxdepth 2 ! -path './node_modules/*' -print0
		find . \\( -name a -o -name b \\) -size +10k
		find ./*.d -prune
		find "src/$x" -name a`,
		`find . -delete
		find . -name a -delete
		find . -exec rm {} \\;
		find . -exec cat {} +
		find . -execdir ls {} \\;
		find . -ok rm {} \\;
		find . -okdir rm {} \\;
		find . -fprint out
		find . -fprint0 out
		find . -fprintf out %p
		find . -fls out
		find . '-delete'
		find . "-delete"
		find . -de''lete
		find . -del"ete"
		find . \\-delete
		find . -delet\\e
		find . -{delete,print}
		find . $x
		find $x -name a
		find "$x" -name a
		find . -name -name "$x"
		find . -newermt -name "$x"
		find . $(echo -delete)
		find . -name $x
		find . -name a *`,
	],
	'rg and fd': [
		`rg foo
		rg -n 'foo|bar' src -g '*.ts'
		rg --files
		rg -z foo
		fd -e ts
		fd foo src
		fdfind -H foo`,
		`rg --pre ./evil foo
		rg --pre=./evil foo
		rg --hostname-bin ./evil foo
		rg $x
		rg "$x" src
		fd -x rm
		fd -X rm
		fd -Hx rm
		fd --exec rm
		fd --exec=rm
		fd --exec-batch rm`,
	],
	sort: [
		`sort a
		sort -u -k2,2n a b
		sort -t, -k1 a
		sort -t$'\\t' -k2 a
		sort --reverse --key=2 a
		sort -r ./*.txt`,
		`sort -o a a
		sort -oa a
		sort -uo a a
		sort -ro a a
		sort --output=a a
		sort --output a a
		sort --outp=a a
		sort --o=a a
		sort a -o b
		sort --compress-program=./evil a
		sort --compress-prog ./evil a
		sort --co=./evil a
		sort $x
		sort "$x"
		sort *
		sort -T -- -o out a
		sort "-o" a
		sort -$x`,
	],
	'uniq and xxd': [
		`uniq
		uniq -c a
		uniq -f 1 -c a
		uniq "a$x"
		xxd a
		xxd -l 16 -c 8 a`,
		`uniq a b
		uniq -c a b
		uniq -f 1 a b
		uniq a*
		uniq a -c
		uniq - a
		xxd a -p
		xxd -l 16 a -b
		uniq "$x"
		uniq $x
		xxd a b
		xxd -r a b
		xxd -p a b
		xxd "$x" a`,
	],
	sed: [
		`sed -n 5p a
		sed -n '1,20p' a
		sed -n '$p' a
		sed -n '/foo/,/bar/p' a b
		sed -n -e 5p -e '10q' a
		sed -ne 5p a
		sed '5q' a
		sed 5d a
		sed -n '$=' a
		sed -n '/a\\/b/p' a
		sed -n '/^[[:space:]]*x/p' a
		sed -n '/[^abc]/!p' a
		sed 's/foo/bar/' a
		sed 's/foo/bar/g;s/a/b/2' a
		sed -E 's|/usr|/opt|g' a
		sed 's#a#b#gI' a
		sed --expression='s/a/b/' a
		sed -n '10,+5p' a
		sed -n '0~3p' a
		sed -n 5p "a$x"
		sed '$!N;P;D' a
		sed -n "5p;10p" a`,
		`sed -i s/a/b/ a
		sed -i.bak s/a/b/ a
		sed -ni 5p a
		sed -n 5p a -i
		sed --in-place 5p a
		sed --in-pl 5p a
		sed -f script a
		sed --file=script a
		sed 'w out' a
		sed 'W out' a
		sed '5w out' a
		sed 's/a/b/w out' a
		sed 's/a/b/gw out' a
		sed 's/a/b/e' a
		sed 's/a/b/ge' a
		sed e a
		sed '1e rm b' a
		sed '5r x' a
		sed 'R x' a
		sed -n '/a/w out' a
		sed -e p -e 'w out' a
		sed p\\;w\\ out a
		sed 'p
w out' a
		sed 's/a/b/
w out' a
		sed 's/[/]/g;/w out/p' a
		sed -n '/[/p;/]/w out' a
		sed "$script" a
		sed $x a
		sed -n "\${a}p" a
		sed -n 5p "$x"
		sed -n 5p $x
		sed -n 5p *
		sed '1{p;w out
}' a
		sed 'y/a/b/' a
		sed 'i\\foo' a
		sed -s -i p a
		sed --follow-symlinks -i p a`,
	],
	git: [
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
	],
	wrappers: [
		`env
		env -0
		env LC_ALL=C sort a
		env LANG=C ls
		timeout 5 ls
		timeout 1.5s cat a
		time ls
		time -p ls
		nice ls
		nice -n5 ls
		command -v node
		command -V ls
		command ls
		xargs
		xargs ls
		xargs -0 wc -l
		xargs -n1 -P4 grep foo
		xargs -I {} cat {}
		xargs -I% cat src/%
		xargs -d '\\n' cat
		xargs timeout 5 cat
		find . -print0 | xargs -0 grep -l foo`,
		`env rm a
		env PATH=. ls
		env LD_PRELOAD=x ls
		env GIT_PAGER=x git log
		env -i ls
		env -u PATH ls
		env -S 'rm a'
		env -C / ls
		env A=$x ls
		env $x
		env FOO=1 ls
		timeout 5 rm a
		timeout -s KILL 5 ls
		timeout $x ls
		timeout ls
		time rm a
		time -o out ls
		time -f x ls
		nice rm a
		nice -n 5 ls
		command rm a
		command -p ls
		command $x
		xargs rm
		xargs sh -c ls
		xargs -I {} sh -c {}
		xargs -I {} {}
		xargs -I {} {} a
		xargs -I ls ls
		xargs sort
		xargs find
		xargs git log
		xargs sed -n 5p
		xargs env
		xargs xargs
		xargs timeout 5
		xargs -i rm
		xargs -p ls
		xargs --process-slot-var=PATH ls
		xargs $x
		xargs -a $x ls
		xargs printf
		xargs test`,
	],
	'the rest': [
		`date
		date +%s
		date -u '+%Y-%m-%d'
		date -d yesterday +%F
		date --iso-8601=seconds
		hostname
		hostname -f
		printf '%s\\n' a "$x"
		read -r line
		read -r -d '' a b
		set -euo pipefail
		set -e
		set -o pipefail
		set +e
		test -f a
		test "$x" = b
		file a
		file -b a
		tree -L 2 -I node_modules
		base64 a
		base64 -d a
		lsof -i :3000
		lsof -p 12
		top -b -n1
		node --version
		node -v
		npm --version
		python --version
		python3 -V
		npm ls
		npm ls --depth=0 --json
		npm explain react
		exit 1`,
		`date -s yesterday
		date --set=x
		date 010100002030
		date $x
		hostname evil
		hostname -F a
		printf -v PATH x
		printf -v x y
		printf "$x"
		printf $x
		read PATH
		read -r IFS
		read $x
		read -rp x PATH
		set -x
		set -- a
		set
		set -o history
		set +x
		file -C -m a
		file --compile
		file --comp
		tree -o out
		tree -ao out
		tree -R
		base64 -o out a
		base64 --output=out a
		lsof -Db
		lsof -Db a
		top -n1 x
		node
		node -p 1
		node --version a.js
		python -v
		python3 -
		ruby -v
		npm install
		npm ci
		npm run x
		npm ls --logs-dir=src
		npm ls --cache=x
		npm ls $x
		npm view react
		npm version patch
		npm
		npx cowsay
		java -jar a
		bash
		bash --version a
		docker --version x`,
	],
};

const rows = (commands: string): string[] => commands.split(/\n\t\t/);

describe.each(Object.entries(table))('%s', (_, [reads, refused]) => {
	test.each(rows(reads))('reads: %s', (command) => {
		expect(bash(command)).toEqual({ readOnly: true, why: 'every program in it only reads' });
	});

	test.each(rows(refused))('refused: %s', (command) => {
		const judged = bash(command);
		expect(judged.readOnly).toBe(false);
		// It stands in "Refused: ….": no period of its own, one line.
		expect(judged.why).toMatch(/^[^\n]+[^.\n]$/);
	});
});
