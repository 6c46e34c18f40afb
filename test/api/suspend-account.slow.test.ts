import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import test from 'ava';
import { programArguments } from '../../embedded/program-arguments.ts';
import { isError, withApiWorld } from '../support/api-world.ts';
import { testMongodbUri } from '../support/open-test-store.ts';

const world = withApiWorld(test);
const run = promisify(execFile);

/** As an administrator on the command line; throws what it says on stderr. */
async function itembridge(...args: readonly string[]): Promise<string> {
  const env = { ...process.env, MONGODB_URI: testMongodbUri(), MONGODB_DATABASE: world().store.connection.name };
  return (await run(process.execPath, [...programArguments('bin/itembridge.ts'), ...args], { env })).stdout;
}

test('suspend-account and resume-account stop a key and let it go on; repeated, they change nothing', async (t) => {
  const { id, email, apiKey } = await world().account();
  const read = () => world().call('GET', '/integration/v1/items', { apiKey });
  t.is(await itembridge('suspend-account', email, '--reason', 'spam'), `${email} (${id}) is suspended\n`);
  isError(t, await read(), { status: 403, code: 'ACCOUNT_SUSPENDED' });
  t.is(await itembridge('suspend-account', email), `${email} (${id}) is suspended already\n`);
  t.is(await itembridge('resume-account', email), `${email} (${id}) is suspended no more\n`);
  t.is((await read()).status, 200);
  t.is(await itembridge('resume-account', email), `${email} (${id}) is not suspended; nothing was changed\n`);
  const error = await t.throwsAsync(itembridge('suspend-account', 'nobody@example.se'));
  t.regex(error.message, /No account with the email address nobody@example\.se/);
});
