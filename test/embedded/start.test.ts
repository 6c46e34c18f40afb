import { existsSync, readFileSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { createServer } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { listingsOf } from '../../embedded/fill-examples.ts';
import { callJson, trustAuthority } from '../../embedded/http-json.ts';
import { isAlive } from '../../embedded/is-alive.ts';
import type { ReadyState } from '../../embedded/ready-file.ts';
import { logOut, refresh, refreshTokenOf, signIn } from '../support/a-browser.ts';
import { isError } from '../support/api-world.ts';
import { dashboardOf, payOn, untilPro } from './support/a-dashboard.ts';
import { marketplaceIn, newHome, StartedSystem, until } from './support/started-system.ts';

// Each start is a whole system: one after the other on a small machine.
test.serial('a start offers everything that the ready file promises, from a push to its webhook', async (t) => {
  t.timeout(600_000);
  const system = await StartedSystem.launch();
  t.teardown(() => system.discard());
  const ready = await system.ready();

  t.regex(system.output, /migrate: 1: /);
  t.is(statSync(system.readyFile).mode & 0o777, 0o600);
  isClosedToOtherUsers(t, system, ready);
  t.deepEqual(Object.keys(ready.processes).sort(), ['api', 'mongod', 'simulators', 'temporal', 'worker']);
  t.deepEqual(
    ready.accounts.map(({ role }) => role),
    ['reseller', 'member', 'member', 'member'],
  );
  trustAuthority(isAbsolute(ready.caFile) ? ready.caFile : join(process.cwd(), ready.caFile));

  await putItem(ready, 'START-1', 'butik-malmo');
  await untilLive(ready, 'START-1');
  const calls = await until(
    async () => {
      const { body } = await callJson({
        method: 'GET',
        url: `${ready.simulators.webhookReceiver.adminUrl}/calls?path=butik-malmo-self`,
      });
      const found = body['calls'] as { status: number | null }[];
      return found.length > 0 ? found : undefined;
    },
    { what: 'a webhook' },
  );
  t.true(calls.some(({ status }) => status !== null && status < 300));

  const code = await system.stop();

  t.is(code, 0);
  t.throws(() => statSync(system.readyFile), { code: 'ENOENT' });
  for (const [name, pid] of Object.entries(ready.processes)) t.false(isAlive(pid), `${name} is still there`);
});

test.serial('the dashboard of a member: sign in, pay for Pro at the payment processor, renew, log out', async (t) => {
  t.timeout(600_000);
  const system = await StartedSystem.launch();
  t.teardown(() => system.discard());
  const ready = await system.ready();
  const dashboard = dashboardOf(ready);
  const member = ready.accounts.find(({ role }) => role === 'member') ?? t.fail();
  const { token, refreshToken } = await signIn(dashboard, member);

  const free = await dashboard.call('GET', '/partner/subscription', { token });
  t.deepEqual(free.body, { tier: 'free', isPro: false, subscribedAt: null, expiresAt: null });
  const checkout = await dashboard.call('POST', '/partner/subscription/checkout', { token });
  t.is(checkout.status, 200, checkout.text);
  t.true(checkout.body.url.startsWith(`${ready.simulators.payments.url}/`), checkout.body.url);
  t.is(await payOn(checkout.body.url), `${ready.publicUrl}/dashboard?upgraded=true`);
  t.is((await untilPro(dashboard, token)).tier, 'pro');
  isError(t, await dashboard.call('POST', '/partner/subscription/checkout', { token }), {
    status: 409,
    code: 'CONFLICT',
  });

  const renewed = await refresh(dashboard, refreshToken);
  t.is(renewed.status, 200, renewed.text);
  t.is((await logOut(dashboard, refreshTokenOf(renewed))).status, 204);
  for (const over of [token, renewed.body.accessToken])
    isError(t, await dashboard.call('GET', '/auth/me', { token: over }), { status: 401, code: 'UNAUTHORIZED' });
  t.is((await refresh(dashboard, refreshTokenOf(renewed))).status, 401);
});

test.serial('API and worker killed with -9 are started again, with new process ids in the ready file', async (t) => {
  t.timeout(600_000);
  const system = await StartedSystem.launch();
  t.teardown(() => system.discard());
  const before = await system.ready();
  const { api = 0, worker = 0 } = before.processes;

  process.kill(worker, 'SIGKILL');
  process.kill(api, 'SIGKILL');

  const after = await system.ready(({ processes }) => processes['api'] !== api && processes['worker'] !== worker);
  t.true(isAlive(after.processes['api'] ?? 0));
  t.regex(system.output, /worker ended unexpectedly \(SIGKILL\)/);
  await putItem(after, 'START-2', 'butik-umea');
  await untilLive(after, 'START-2');
  t.pass();
});

test.serial('a second start in the same folder names the first and touches nothing', async (t) => {
  t.timeout(600_000);
  const home = newHome();
  const first = await StartedSystem.launch({ home });
  t.teardown(() => first.discard());
  const ready = await first.ready();

  const second = await StartedSystem.launch({ home });
  const code = await second.exited;

  t.is(code, 1);
  t.regex(second.output, /is running in this folder already/);
  t.true(second.output.includes(ready.apiUrl));
  t.true(Object.values(ready.processes).every(isAlive));
});

test.serial(
  'after a restart the keys still work; a taken port is replaced and said; --fresh begins anew',
  async (t) => {
    t.timeout(600_000);
    const home = newHome();
    const first = await StartedSystem.launch({ home });
    const { accounts } = await first.ready();
    await first.stop();
    const blocker = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => blocker.once('listening', resolve));
    t.teardown(() => blocker.close());
    const address = blocker.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;

    const second = await StartedSystem.launch({ home, args: ['--no-examples', '--port', String(port)] });
    const ready = await second.ready();

    t.deepEqual(ready.accounts, accounts);
    t.true(second.output.includes(`port ${String(port)} is taken, using ${new URL(ready.apiUrl).port}`));
    await putItem(ready, 'START-3', 'butik-malmo');
    await second.stop();

    const third = await StartedSystem.launch({ home, args: ['--fresh', '--no-examples', '--port', String(port)] });
    t.teardown(() => third.discard());
    const anew = await third.ready();
    t.notDeepEqual(anew.accounts, accounts);
  },
);

test.serial('a supervisor killed with -9 leaves no process behind', async (t) => {
  t.timeout(600_000);
  const system = await StartedSystem.launch();
  t.teardown(() => system.discard());
  const { processes } = await system.ready();

  system.child.kill('SIGKILL');

  await until(() => (Object.values(processes).some(isAlive) ? undefined : true), {
    what: 'the children to end',
    timeoutMs: 20_000,
  });
  t.pass();
});

/** No other user of the machine reads a secret: neither in the list of processes, nor in a file. */
function isClosedToOtherUsers(t: ExecutionContext, { home }: StartedSystem, { processes }: ReadyState): void {
  const secrets = Object.entries(JSON.parse(readFileSync(join(home, 'data/secrets.json'), 'utf8')) as object)
    .filter(([name]) => name !== 'marketplaceAppId')
    .map(([name, secret]) => [name, String(secret)] as const);
  t.true(secrets.length >= 5);
  for (const [name, pid] of Object.entries(processes)) {
    // Only Linux has it as a file.
    const file = `/proc/${pid}/cmdline`;
    const line = existsSync(file) ? readFileSync(file, 'utf8') : '';
    for (const [secret, value] of secrets)
      t.false(line.includes(value), `${secret} stands among the arguments of ${name}`);
  }
  for (const folder of ['data', 'logs']) t.is(statSync(join(home, folder)).mode & 0o777, 0o700, folder);
}

async function putItem(ready: ReadyState, externalId: string, member: string): Promise<void> {
  const [reseller] = ready.accounts;
  const file = readFileSync('examples/catalogue/catalogue.ndjson', 'utf8').split('\n')[0] ?? '{}';
  const { images } = JSON.parse(file) as { images: string[] };
  const response = await fetch(`${ready.apiUrl}/integration/v1/items/${externalId}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', 'x-api-key': reseller?.apiKey ?? '', 'x-partner-account': member },
    body: JSON.stringify({
      title: 'Emaljkanna',
      price: 149,
      imageUrls: [`${ready.simulators.images.url}/${images[0] ?? ''}`],
      autoPublishTradera: true,
    }),
  });
  if (response.status !== 202) throw new Error(`PUT answered ${String(response.status)}: ${await response.text()}`);
}

async function untilLive(ready: ReadyState, externalId: string): Promise<void> {
  await until(
    async () => {
      const listings = await listingsOf({ marketplace: marketplaceIn(ready) }, externalId);
      return listings.some(({ state }) => state === 'active') ? true : undefined;
    },
    { what: `the auction of ${externalId}` },
  );
}
