import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { programArguments } from '../../embedded/program-arguments.ts';
import { withApiWorld } from '../support/api-world.ts';
import { testMongodbUri } from '../support/open-test-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const world = withApiWorld(test);
const run = promisify(execFile);

async function itembridge(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<{ code: number; output: string }> {
  const { MONGODB_URI: _uri, MONGODB_DATABASE: _database, ITEMBRIDGE_HOME: _home, ...rest } = process.env;
  const env = { ...rest, MONGODB_DATABASE: world().store.connection.name, ...environment };
  try {
    const { stdout } = await run(process.execPath, [...programArguments('bin/itembridge.ts'), ...args], { env });
    return { code: 0, output: stdout };
  } catch (error) {
    const { code, stderr } = error as { code: number; stderr: string };
    return { code, output: stderr };
  }
}

const grant = (email: string, slug: string, environment: Readonly<Record<string, string>>) =>
  itembridge(['grant-reseller', email, '--commission-bps', '250', '--slug', slug], environment);

test('grant-reseller finds the system by the environment, and can be repeated', async (t) => {
  const { email, id } = await world().account();
  const environment = { MONGODB_URI: testMongodbUri() };
  for (const _ of [1, 2]) t.is((await grant(email.toUpperCase(), 'by-environment', environment)).code, 0);
  t.true((await world().call('GET', '/public/profiles/by-environment')).body.ownerHasResellerDeal);
  t.is(await world().store.connection.collection('deals').countDocuments({ accountId: id }), 1);
});

test('grant-reseller finds the system by its ready file', async (t) => {
  const { email } = await world().account();
  const home = temporaryFolder('home');
  writeFileSync(join(home, 'ready.json'), JSON.stringify({ mongodbUri: testMongodbUri() }));
  t.is((await grant(email, 'by-ready-file', { ITEMBRIDGE_HOME: home })).code, 0);
  t.is((await world().call('GET', '/public/profiles/by-ready-file')).status, 200);
});

test('grant-reseller says in words what is wrong and fails', async (t) => {
  const { email } = await world().account();
  const other = await world().reseller();
  const environment = { MONGODB_URI: testMongodbUri() };
  const wrong: [Promise<{ code: number; output: string }>, RegExp][] = [
    [grant('nobody@example.se', 'x', environment), /No account/],
    [grant(email, other.slug, environment), /belongs to another account/],
    [grant(email, 'Not A Slug', environment), /slug must be/],
    [grant(email, 'x', { ITEMBRIDGE_HOME: temporaryFolder('empty') }), /npm start/],
  ];
  for (const [outcome, words] of wrong) {
    const { code, output } = await outcome;
    t.is(code, 1);
    t.regex(output, words);
    t.notRegex(output, /^\s+at /m);
  }
});
