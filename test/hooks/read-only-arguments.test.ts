import { judgeTable } from './judge-table.ts';

judgeTable('find', [
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
]);

judgeTable('rg and fd', [
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
]);

judgeTable('sort', [
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
]);

judgeTable('uniq and xxd', [
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
]);

judgeTable('sed', [
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
]);

judgeTable('wrappers', [
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
]);

judgeTable('the rest', [
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
		read -t 5 -n 1 key
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
		read 'a[$(rm b)]'
		read -t 'a[$(rm b)]' x
		read -n 'a[$(rm b)]' x
		read -p 'a[$(rm b)]' x
		read -a PATH
		read -d $x y
		read -d "$x" y
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
]);
