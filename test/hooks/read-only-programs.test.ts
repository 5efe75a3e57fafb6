import { judgeTable } from './judge-table.ts';

judgeTable('plain readers', [
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
		arch rm a
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
]);
