import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { defaultApplication } from '../../simulators/marketplace/default-application.ts';
import { sellerOf } from '../simulators/support/seller.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { runItembridge } from './support/run-itembridge.ts';

async function aMarketplace(t: ExecutionContext) {
  const { admin, simulator } = await sellerOf(t);
  const { token } = (await admin('POST', '/users', { userId: '77' })).json<{ token: string }>();
  const settings = {
    MARKETPLACE_URL: simulator.url,
    MARKETPLACE_USER_TOKEN: token,
    MARKETPLACE_APP_ID: defaultApplication.appId,
    MARKETPLACE_APP_KEY: defaultApplication.appKey,
    // The tests of this process share two cores with others.
    MARKETPLACE_REQUEST_TIMEOUT_MS: '60000',
  };
  const probe = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    runItembridge(['marketplace', 'probe', ...args], { env: { ...settings, ...env } });
  const calls = async () => (await admin('GET', '/calls')).json<{ calls: unknown[] }>().calls.length;
  return { simulator, probe, calls, token };
}

test('says first how many calls it takes, and takes none before it is told to', async (t) => {
  const { probe, calls } = await aMarketplace(t);
  const { code, stderr } = await probe(['--user', '77', '--draft']);
  t.is(code, 2);
  t.regex(stderr, /up to 25 of the application's 100 calls of the day at http[^]*--yes/);
  t.is(await calls(), 0);
  const wrong = await Promise.all([
    probe(['--draft']),
    probe(['--user', 'kim']),
    probe(['--user', '7'], { MARKETPLACE_USER_TOKEN: '' }),
    probe(['--user', '7', '--token', 'seen-by-all']),
  ]);
  t.deepEqual(
    wrong.map((run) => run.code),
    [2, 2, 2, 2],
  );
  t.is(await calls(), 0);
});

test('shows what differs first; its exit code tells that, a refusal and a silence apart', async (t) => {
  const { probe, token } = await aMarketplace(t);
  const [user, silent, refused, mapped] = await Promise.all([
    probe(['--user', '77', '--yes', '--json']),
    probe(['--yes'], { MARKETPLACE_URL: 'http://127.0.0.1:9' }),
    probe(['--yes'], { MARKETPLACE_APP_KEY: 'wrong' }),
    probe(['--yes'], { MARKETPLACE_CATEGORIES: '516:999999' }),
  ]);
  t.deepEqual(
    [user, silent, refused, mapped].map(({ code }) => code),
    [0, 3, 1, 1],
  );
  t.true(JSON.parse(user.stdout).length > 40);
  t.false(user.stdout.includes(token));
  t.regex(refused.stdout, /^differs: \d+\n[^]*id and key are accepted +401 Unauthorized/);
  t.regex(mapped.stdout, /^differs: 1\n[^]*unknown there: 999999[^]*could not see: \d+[^]*as assumed: \d+/);
});

test('without settings it asks the simulator of the system that runs here', async (t) => {
  const { simulator } = await aMarketplace(t);
  const home = temporaryFolder('home');
  const marketplace = { url: simulator.url, ...defaultApplication };
  writeFileSync(join(home, 'ready.json'), JSON.stringify({ simulators: { marketplace } }));
  const run = await runItembridge(['marketplace', 'probe'], { env: { ITEMBRIDGE_HOME: home } });
  t.regex(run.stderr, new RegExp(`at ${simulator.url}: say --yes`));
});
