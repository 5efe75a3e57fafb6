/** Database clients and migration tools. */
import { always, type DestructiveRule, type Entries, has, operandsOf, withSubcommand } from '../rule.ts';
import { inScriptFile } from '../script-names.ts';
import { inCode, STATEMENT } from '../telltale.ts';

/** A file of statements is not read, so it counts; so does what a program prints. */
const sql =
	(program: string): DestructiveRule =>
	(words, { input, line }) => {
		const changes = `changes or deletes data (${program})`;
		if (has(words, STATEMENT)) return changes;
		if (has(words, /^(?:-[a-zA-Z]*f(?:$|.*\.)|--file(?:=|$)|-init$)|(?:^|\s)(?:\\ir?|\.read|source)\s/))
			return `runs statements from a file (${program})`;
		for (const word of words) {
			const shellOut = /(?:^|\s)(?:\\!|\.shell|\.system|system)\s+(.+)/.exec(word);
			const found = shellOut?.[1] === undefined ? null : line(shellOut[1]);
			if (found !== null) return found;
		}
		// With statements on the line the input is not read.
		if (
			has(words, /^(?:-[a-zA-Z]*[ce]$|-[ce].|--(?:command|execute|query|list|version|help)(?:=|$)|-[lVQ]$)/)
		)
			return null;
		switch (input.kind) {
			case 'none':
				return null;
			case 'text':
				return STATEMENT.test(input.text) ? changes : null;
			case 'file':
			case 'unknown':
				return `runs statements that are not on the line (${program})`;
		}
	};

/** `sqlite3 a.db "select 1"` takes its statements as a word. */
const sqlite: DestructiveRule = (words, inside) =>
	sql('sqlite3')(
		words,
		operandsOf(words, /^-(?:cmd|init|separator)$/).length > 1
			? { ...inside, input: { kind: 'none' } }
			: inside,
	);

const mongo: DestructiveRule = (words, { input }) => {
	if (has(words, /drop|delete|remove/i)) return 'deletes data (mongo)';
	const scripts = operandsOf(words, /^(?:--eval|--host|--port|-u|-p)$/).filter((word) => /\.js$/.test(word));
	for (const script of scripts) {
		const found = inScriptFile(script);
		if (found !== null) return found;
	}
	if (input.kind === 'text')
		return /drop|delete|remove/i.test(input.text) ? 'deletes data (mongo)' : inCode(input.text);
	return input.kind === 'none' ? null : 'runs statements that are not on the line (mongo)';
};

const REDIS = /\b(?:flushall|flushdb|del|unlink|shutdown|script\s+flush|config\s+set)\b/i;
const redis: DestructiveRule = (words, { input }) => {
	if (
		REDIS.test(
			operandsOf(words, /^-[hpanu]$/)
				.slice(0, 2)
				.join(' '),
		)
	)
		return 'deletes data (redis)';
	if (has(words, /^--eval$/)) return 'runs a script (redis)';
	if (operandsOf(words, /^-[hpanu]$/).length > 0 || input.kind === 'none') return null;
	return input.kind === 'text' && !REDIS.test(input.text)
		? null
		: 'runs commands that are not on the line (redis)';
};

const migrates = (pattern: RegExp, valued?: RegExp): DestructiveRule =>
	withSubcommand(pattern, (name) => `changes a database (${name})`, valued);

export const databasePrograms: Entries = [
	['psql', sql('psql')],
	['mysql mariadb', sql('mysql')],
	['sqlcmd clickhouse-client cockroach', sql('a database')],
	['sqlite3 sqlite duckdb', sqlite],
	['mongosh mongo', mongo],
	['redis-cli valkey-cli', redis],
	['dropdb dropuser', always('deletes a database')],
	['mysqladmin', migrates(/^(?:drop|shutdown|flush-\w+|kill|password)\b/, /^-[uhPp]$/)],
	['pg_restore', (words) => (has(words, /^(?:-l|--list)$/) ? null : 'overwrites data (pg_restore)')],
	['mongorestore mysqlimport', always('overwrites data')],
	['alembic', migrates(/^(?:upgrade|downgrade|stamp)\b/, /^(?:-[cnx]|--(?:config|name))$/)],
	['prisma', migrates(/^(?:migrate (?:deploy|reset|dev|resolve)|db (?:push|execute|seed))\b/)],
	['drizzle-kit', migrates(/^(?:push|migrate|drop|up)\b/)],
	['knex', migrates(/^(?:migrate:(?:latest|up|down|rollback|unlock)|seed:run)/)],
	['sequelize sequelize-cli', migrates(/^db:(?!migrate:status|create)/)],
	['typeorm typeorm-ts-node-commonjs', migrates(/^(?:schema:(?:drop|sync)|migration:(?:run|revert))/)],
	['flyway', migrates(/\b(?:migrate|clean|undo|repair)\b/)],
	['liquibase', migrates(/\b(?:update|rollback|drop-all)\b/)],
	['dbmate goose', migrates(/\b(?:up|down|drop|reset|redo|rollback|migrate|up-to|down-to)\b/)],
	['migrate', migrates(/\b(?:up|down|drop|force|goto)\b/, /^-(?:path|database|source)$/)],
	['atlas', migrates(/^(?:schema (?:apply|clean)|migrate (?:apply|down|set))\b/)],
	['diesel sqlx', migrates(/^(?:migrate|migration|database) (?:run|revert|redo|reset|drop)\b/)],
];
