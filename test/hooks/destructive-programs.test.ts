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
	'task runners',
	[
		'make -j deploy',
		'make -j8 deploy',
		'make -j 8 deploy',
		'make -C d deploy',
		'make distclean',
		'rake db:drop',
		'rails db:drop',
		'rails db:reset',
		'mix ecto.drop',
		'php artisan migrate:fresh',
		'python manage.py flush --no-input',
		'turbo run deploy',
		'nx deploy app',
		'npm run deploy',
		'npm -w a run deploy',
		'npm run -w a deploy',
		'npm run deploy:prod',
		'gradle :app:publish',
		'./gradlew publishToProd',
		'mvn -q deploy',
		'npm publish',
	],
	[
		'make',
		'make test',
		'make -j4 all',
		'make -C d all',
		'make -n deploy',
		'make clean',
		'make release-notes',
		'npm run test:release-notes',
		'npm run migrate:status',
		'npm run build:prod',
		'gradle release --dry-run',
		'./gradlew publishToMavenLocal',
		'mvn test',
		'rails server',
		'mix test',
		'php artisan serve',
		'python manage.py runserver',
		'npm publish --dry-run',
		'npm ci',
		'just test',
	],
);

kind(
	'files and devices',
	[
		'mkfs.ext4 /dev/sda',
		'dd if=/dev/zero of=x',
		'chmod -R 000 .',
		'chmod -R a-rwx .',
		'chmod -R u= .',
		'chown -R a .',
		'chown --recursive a .',
		'tar --remove-files -cf a.tar x',
		'truncate -s0 x',
		'rimraf x',
		'rm x --help',
		'rm -- --help',
	],
	[
		'chmod +x f',
		'chmod 600 f',
		'chmod -R 755 .',
		'chmod -R u+rwX,go-w .',
		'chmod -R go-rwx .',
		'chown a f',
		'tar czf a.tgz x',
		'rm --help',
		'dd --version',
	],
);

kind(
	'network',
	[
		'curl -X POST https://h',
		'curl -X "POST" https://h',
		'curl -sSXPOST https://h',
		'curl -sSXDELETE https://h',
		'curl -X "$M" https://h',
		'curl --url https://h --data-raw x',
		'curl --json x https://h',
		'curl -T f https://h',
		'curl -K cfg',
		'wget -qO- h --method DELETE',
		'wget --post-data=x h',
		'http POST h',
		'http h a=b',
		'nc h 80 < f',
		'rsync -a src/ host:dst/ -v',
		'rsync -a . h:b --exclude x',
		'scp a h:b -P 22',
		'scp -P 22 a h:b',
		'rclone sync a b:',
		's3cmd del s3://x',
		'echo x | mail me',
	],
	[
		'curl -o f https://h',
		'curl -sSfL -o f https://h',
		'curl -G -d q=1 https://h',
		'curl -X GET https://h',
		'curl -H "Accept: a" https://h/DELETE',
		'curl --help',
		'wget -q h',
		'http GET h',
		'http h',
		'nc -z h 80',
		'rsync -a a b',
		'rsync -a h:x .',
		'scp -P 22 h:b a',
		'rclone ls r:',
		'mail',
	],
);

kind(
	'clouds',
	[
		'aws --profile p s3 cp a s3://b',
		'aws s3 rm s3://x',
		'aws s3 sync s3://b . --delete',
		'aws ec2 terminate-instances --instance-ids i',
		'aws lambda invoke x',
		'aws cloudformation deploy',
		'gcloud run deploy app',
		'gcloud alpha run services delete x',
		'gsutil rm gs://x',
		'az group delete',
		'az webapp start',
	],
	[
		'aws s3 ls',
		'aws s3 cp s3://b/x .',
		'aws logs start-query',
		'aws logs tail x',
		'aws --profile p ec2 describe-instances',
		'aws iam list-users',
		'aws sts get-caller-identity',
		'aws configure set region x',
		'aws help',
		'gcloud run services list',
		'gcloud compute instances describe x',
		'gcloud config set project x',
		'az vm list',
		'az account set -s x',
	],
);

kind(
	'platforms',
	[
		'vercel',
		'vercel --prod',
		'vercel env rm x',
		'fly deploy',
		'fly -a x deploy',
		'heroku config:set A=1',
		'heroku config set A=1',
		'heroku run rake db:reset -a app',
		'netlify deploy',
		'firebase deploy',
		'wrangler deploy',
		'cdk deploy',
		'supabase db reset',
		'npx supabase db push',
		'railway up',
		'eas submit',
	],
	[
		'vercel env ls',
		'vercel inspect x',
		'vercel logs x',
		'heroku config',
		'heroku config:get A',
		'heroku logs -t',
		'heroku ps',
		'fly status',
		'fly apps list',
		'eas build:list',
		'firebase emulators:start',
		'wrangler dev',
		'cdk diff',
		'supabase start',
		'render',
		'vercel --help',
	],
);

kind(
	'containers, clusters, infrastructure',
	[
		'docker --context p push img',
		'docker compose -f x.yml down -v',
		'docker-compose -f x.yml down',
		'docker system prune -f',
		'docker build --push .',
		'kubectl --as me delete pod x',
		'kubectl --context=p delete pod x',
		'kubectl rollout restart d',
		'kubectl cp a p:/b',
		'helm install a b --version 1',
		'terraform -chdir=x apply',
		'terraform apply -auto-approve',
		'ansible all -m shell',
		'systemctl --user stop x',
	],
	[
		'docker ps',
		'docker build -t x .',
		'docker compose up -d',
		'docker kill --help',
		'kubectl get pods',
		'kubectl logs -f x',
		'kubectl auth can-i delete pods',
		'kubectl apply --dry-run=client -f x',
		'kubectl rollout status d',
		'kubectl delete --help',
		'helm list',
		'terraform plan',
		'terraform show',
		'terraform output -json',
		'terraform state list',
		'terraform destroy --help',
		'ansible --version',
		'ansible-playbook --syntax-check x',
		'systemctl status x',
		'service --status-all',
	],
);

kind(
	'databases',
	[
		'dropdb x',
		'alembic upgrade head',
		'prisma migrate deploy',
		'drizzle-kit push',
		'knex migrate:latest',
		'flyway -url=x migrate',
		'migrate -path x -database y up',
		'pg_restore -d x f',
	],
	[
		'alembic history',
		'prisma generate',
		'knex migrate:status',
		'flyway info',
		'pg_restore -l f',
		'pg_dump x',
	],
);

kind(
	'mentions',
	['echo x; rm y', 'grep x y && git push'],
	[
		'echo "git push"',
		'grep -rn "rm -rf" .',
		'rg "git push" .',
		'git commit -m "rm -rf x; git push"',
		'jq ".drop" f',
		'echo "deploy done"',
		'sed -n "/drop table/p" f',
	],
);
