// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is shell, not a template
import { kind } from './destructive-kind.ts';

kind(
	'names that the shell makes',
	[
		'"r${e}m" -rf x',
		'"r$(echo m)" x',
		'$(echo rm) x',
		'`echo rm` x',
		'r=rm; $r x',
		'$EDITOR x',
		'"$@"',
		'${PYTHON} x.py',
		'r\\m x',
		'r""m x',
		"'rm' x",
		'$"rm" x',
		"$'\\x72m' x",
		'{rm,-rf,x}',
		'{r\\m,-rf,x}',
		'r{m,x} a',
		'r*m x',
		'/bin/r? x',
		'rm${IFS}-rf${IFS}x',
		'rm$IFS/etc/x',
		'/bin/rm$IFS/x',
		'r\\\nm x',
		'env $X rm',
		'sudo "$@"',
	],
	[
		'ls {a,b}',
		'mkdir -p {a,b}/c',
		'cat *.ts',
		'echo $(date)',
		'cd "$X" && npm test',
		'for f in *.ts; do wc -l "$f"; done',
	],
);

kind(
	'paths that end plainly are judged by their end',
	[
		'"$BIN/rm" x',
		'$HOME/bin/deploy',
		'${X}/git push',
		'$(dirname x)/rm y',
		'../../bin/rm x',
		'~/bin/rm x',
		'$IFS/bin/rm x',
	],
	[
		'"$VENV/bin/python" t.py',
		'$(npm bin)/eslint .',
		'${HOME}/bin/tool x',
		'$HOME/bin/x',
		'"$HOME/.local/bin/uv" run pytest',
	],
);

kind(
	'words that stand where the grammar does not expect them',
	[
		'git > f push origin',
		'git 2>/dev/null push',
		'2>&1 rm x',
		'> f rm x',
		'echo x\\ #; rm y',
		'echo ${a#b}; rm y',
		'a[$(rm x)]=1',
		'echo "${a:-$(rm x)}"',
		'echo $((`rm x`))',
		'export A=$(rm x)',
		'[[ $(rm x) ]]',
		'! rm x',
		'case x in x) rm y;; esac',
		'until rm x; do :; done',
	],
	['git > f status', 'git log 2>/dev/null', 'echo "rm x" # rm y', '[[ -f rm ]]'],
);
