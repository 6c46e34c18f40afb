import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import test from 'ava';
import { programArguments } from '../../embedded/program-arguments.ts';
import { withApiWorld } from '../support/api-world.ts';
import { testMongodbUri } from '../support/open-test-store.ts';

const world = withApiWorld(test);
const run = promisify(execFile);

/** As an administrator on the command line; throws what it says on stderr. */
async function itembridge(...args: readonly string[]): Promise<string> {
  const env = { ...process.env, MONGODB_URI: testMongodbUri(), MONGODB_DATABASE: world().store.connection.name };
  return (await run(process.execPath, [...programArguments('bin/itembridge.ts'), ...args], { env })).stdout;
}

test('after-restore says what it did, and takes no time that is none', async (t) => {
  const { apiKey } = await world().account();
  const read = (query = '') => world().call('GET', `/integration/events${query}`, { apiKey });
  const { nextCursor } = (await read()).body;
  const said = await itembridge('after-restore', '--at', '2026-01-02T03:04:05Z');
  t.regex(said, /begin anew after 2026-01-02T03:04:05\.000Z/);
  t.regex(said, /No seller is connected/);
  t.is((await read(`?after=${nextCursor}`)).status, 410);
  for (const at of ['yesterday', '2026-01-02', '9999-01-01T00:00:00Z'])
    await t.throwsAsync(itembridge('after-restore', '--at', at), { message: /must be/ });
  await t.throwsAsync(itembridge('after-restore'), { message: /--at/ });
});
