import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { temporaryFolder } from '../support/temporary-folder.ts';

// What of a deployment is a promise to those who run it, read from the files that make it.

const read = (file: string): string => readFileSync(file, 'utf8');
const compose = read('docker-compose.yml');
const section = (name: string): string => new RegExp(`^${name}:\\n((?:(?: .*)?\\n)+)`, 'm').exec(compose)?.[1] ?? '';
const services = new Map(
  section('services')
    .split(/^ {2}(?=\S)/m)
    .filter((block) => /^[a-z][\w-]*:\n/.test(block))
    .map((block) => [block.slice(0, block.indexOf(':')), block]),
);
const dataStores = ['mongodb', 'postgres', 'temporal', 'object-store'];

test('nothing is published but the API and the pages of operators, all on loopback until told otherwise', (t) => {
  t.true(services.size >= 8);
  const published = [...services].flatMap(([name, block]) =>
    [...block.matchAll(/ports: \['([^']+)'\]/g)].map(([, port]) => [name, port]),
  );
  t.deepEqual(published, [
    ['api', '${API_PUBLISHED:-127.0.0.1:3000}:3000'],
    ['temporal-ui', '127.0.0.1:${TEMPORAL_UI_PUBLISHED:-8233}:8080'],
    ['prometheus', '127.0.0.1:${PROMETHEUS_PUBLISHED:-9090}:9090'],
    ['alertmanager', '127.0.0.1:${ALERTMANAGER_PUBLISHED:-9093}:9093'],
    ['grafana', '127.0.0.1:${GRAFANA_PUBLISHED:-3001}:3000'],
  ]);
});

test('data stores are on a network without a way out, and on no other', (t) => {
  t.regex(section('networks'), /\n {2}data:\n {4}internal: true/);
  for (const name of dataStores) t.regex(services.get(name) ?? '', /\n {4}networks: \[data\]\n/, name);
});

test('every container that stays runs read-only, without capabilities or new privileges, and within limits', (t) => {
  const hardened = /^x-hardened: &hardened\n((?: {2}.*\n)+)/m.exec(compose)?.[1] ?? '';
  for (const line of ['read_only: true', 'cap_drop: [ALL]', "security_opt: ['no-new-privileges:true']"])
    t.true(hardened.includes(line), line);
  for (const [name, block] of services) {
    t.regex(block, /<<: (\*(hardened|job)\n|\[\*app, \*hardened\])/, name);
    t.regex(block, /limits: \{[^}]*memory: /, name);
  }
  // It writes its configuration beside its program.
  t.deepEqual(
    [...services].filter(([, block]) => block.includes('read_only: false')).map(([name]) => name),
    ['temporal-ui'],
  );
  t.regex(compose, /^x-app:[^]*?\n {2}user: node\n/m);
  t.regex(read('Dockerfile'), /\nUSER node\n/);
});

test('secrets come as files: no setting holds one, and nothing of a partner may reach the private network', (t) => {
  const settings = read('deploy/app.env')
    .split('\n')
    .filter((line) => /^[A-Z]/.test(line))
    .map((line) => line.split('='));
  const secret = /(KEY|KEYS|SECRET|PASSWORD|TOKEN|URI)$/;
  t.deepEqual(
    settings.filter(([name = '']) => secret.test(name) && name !== 'RATE_LIMIT_KEY'),
    [],
  );
  const files = settings.filter(([name = '']) => secret.test(name.replace(/_FILE$/, '')) && name.endsWith('_FILE'));
  t.true(files.length >= 7);
  for (const [name, value = ''] of files) t.regex(value, /^\/run\/secrets\//, name);
  t.regex(read('deploy/app.env'), /^ALLOW_PRIVATE_NETWORKS=false$/m);
  // The public key stands in the address of the marketplace's login page.
  const named = compose.matchAll(/^\s+([A-Z_]*(?:PASSWORD|SECRET|_KEY|_KEYS|TOKEN)): /gm);
  const secrets = [...named].map(([, name]) => name).filter((name) => name !== 'MARKETPLACE_PUBLIC_KEY');
  t.deepEqual(secrets, []);
});

const secretsOf = (service: string): string[] =>
  [...(/\n {4}secrets:\s*\[([^\]]*)\]/.exec(services.get(service) ?? '')?.[1] ?? '').matchAll(/\w+/g)].map(String);

test('each secret that the settings name is given to the API or the worker, and made', (t) => {
  const named = [...read('deploy/app.env').matchAll(/_FILE=\/run\/secrets\/(\w+)$/gm)].map(([, name = '']) => name);
  t.true(named.length >= 7);
  for (const name of named) {
    t.true(
      ['api', 'worker'].some((service) => secretsOf(service).includes(name)),
      `${name} is mounted`,
    );
    t.regex(compose, new RegExp(`^  ${name}: \\{ file: `, 'm'));
    t.regex(read('deploy/create-secrets.sh'), new RegExp(`^write ${name} `, 'm'));
  }
});

test('the worker, which decodes the images of strangers, gets no secret that only the API needs', (t) => {
  const [api, worker] = [secretsOf('api'), secretsOf('worker')];
  t.deepEqual(
    api.filter((name) => !worker.includes(name)),
    ['jwt_keys', 'stripe_webhook_secret'],
  );
  t.deepEqual(
    worker.filter((name) => !api.includes(name)),
    // The API stores mails, and the worker sends them.
    ['smtp_password'],
  );
  t.false((/^x-app: [^]*?\n\n/m.exec(compose)?.[0] ?? '').includes('secrets:'));
});

test('images have versions, and packages are installed as they are locked, without running their scripts', (t) => {
  const images = [...compose.matchAll(/\n\s+image: (\S+)/g)].map(([, image = '']) => image);
  // By the release that is supported, so that a rebuild gets its patches; scripts/versions.json knows its end.
  for (const image of images) t.regex(image, /:(v?\d+[.\d]*(-|$)|\$\{ITEMBRIDGE_VERSION:-\d+\.\d+\.\d+\})/, image);
  const bases = [...read('Dockerfile').matchAll(/^FROM (\S+)/gm)].map(([, image = '']) => image);
  for (const image of bases) t.regex(image, /^node:26-\w+-slim$/);
  const installs = [...read('Dockerfile').matchAll(/npm (ci|i|install).*/g)].map(([command]) => command);
  t.true(installs.length > 0 && installs.every((command) => /^npm ci .*--ignore-scripts/.test(command)));
});

test('process 1 of the image passes signals on and reaps orphans', (t) => {
  t.regex(read('Dockerfile'), /\nENTRYPOINT \["tini", "-s", "--"\]\n/);
});

test('into an image goes what it is built from, and never secrets or what runs beside the product', (t) => {
  const [all, ...admitted] = read('.dockerignore').trim().split('\n');
  t.is(all, '*');
  const { include } = JSON.parse(read('tsconfig.build.json')) as { include: string[] };
  for (const pattern of include) t.true(admitted.includes(`!${pattern.split('/')[0] ?? ''}`), pattern);
  for (const outside of ['secrets', '.env', '.git', 'test', 'simulators', 'embedded', '.itembridge', 'node_modules'])
    t.false(admitted.includes(`!${outside}`), outside);
  t.true(admitted.includes('secrets') && admitted.includes('**/.git'));
});

// What it does to a real mongod is proved by deploy/native/prove-mongo.mjs.
test('MongoDB logs no command for its time, which would have the values of rows', (t) => {
  t.regex(read('deploy/mongo/start-mongod.sh'), /^exec mongod --slowms 2147483647 /m);
});

test('the secrets that are made are long, different each time, closed to other users of the host, and out of git', (t) => {
  const [one, other] = [temporaryFolder('secrets'), temporaryFolder('secrets')];
  for (const folder of [one, other]) execFileSync('sh', ['deploy/create-secrets.sh', join(folder, 'made')]);
  const made = join(one, 'made');
  t.is(statSync(made).mode & 0o777, 0o700);
  t.is(read(join(made, '.gitignore')), '*\n');
  const random = ['mongodb_keyfile', 'mongodb_root_password', 'mongodb_uri', 'postgres_password'];
  for (const name of [...random, 'temporal_postgres_password', 'jwt_keys', 'encryption_keys', 's3_secret_access_key']) {
    t.not(read(join(made, name)), read(join(other, 'made', name)), name);
    t.true(read(join(made, name)).length >= 44, name);
  }
  t.is(Buffer.from(read(join(made, 'encryption_keys')).split(':')[1] ?? '', 'base64').length, 32);
  const before = readdirSync(made).map((name) => read(join(made, name)));
  execFileSync('sh', ['deploy/create-secrets.sh', made]);
  t.deepEqual(
    readdirSync(made).map((name) => read(join(made, name))),
    before,
    'what is there is kept',
  );
});
