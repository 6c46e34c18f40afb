import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import test, { type ExecutionContext } from 'ava';
import { programArguments } from '../../embedded/program-arguments.ts';
import { startMarketplaceSimulator } from '../../simulators/marketplace/start-marketplace-simulator.ts';
import { call } from './support/call.ts';
import { aSeller, sellerOf } from './support/seller.ts';

function folder(t: ExecutionContext): string {
  const path = mkdtempSync(join(tmpdir(), 'marketplace-'));
  t.teardown(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

test('listings, bids, sales, tokens, scripted results, limits and the moved clock survive a restart', async (t) => {
  const dataDir = folder(t);
  const first = await aSeller({ dataDir });
  const { itemId, requestId } = await first.live();
  await first.bid(itemId, 420);
  await first.sold(500);
  await first.advance(3600);
  await first.admin('POST', '/results', { ownReference: 'B2', codes: ['Error'] });
  const [before] = await first.listings();
  const sales = await first.read('/v4/listings/seller-transactions');
  const feed = await first.read('/v4/listings/updated-seller-items');
  const pending = await first.draft({ ownReferences: ['B2'] });
  await first.addImage(pending.requestId);
  await first.commit(pending.requestId);
  await first.admin('POST', '/budget', { callsPerDay: 0 });
  await first.simulator.close();

  const second = await sellerOf(t, { dataDir });
  t.is((await second.wire('GET', '/v4/users/me')).status, 429);
  await second.admin('POST', '/budget', { callsPerDay: null });
  t.like((await second.listings())[0], {
    itemId,
    requestId,
    state: 'active',
    bids: [{ amount: 420 }],
    endsAt: before?.endsAt ?? null,
  });
  t.deepEqual(await second.read('/v4/listings/seller-transactions'), sales);
  t.deepEqual(await second.read('/v4/listings/updated-seller-items'), feed);
  await second.settle();
  t.is((await second.results(pending.requestId))[0]?.resultCode, 4);
  t.is((await second.admin('GET', '/clock')).json()['advancedSeconds'], 5400);
  t.true((await second.draft()).itemId > pending.itemId);
});

test('what was answered survives a kill of the process, which starts with its settings', async (t) => {
  const dataDir = folder(t);
  const settings = { switches: { badToken: '403' }, tokenLifeDays: 2, callLimit: { callsPerDay: 5, per: 'all' } };
  const config = { marketplace: { dataDir, ...settings }, webhookReceiver: { port: 0 } };
  const child = spawn(
    process.execPath,
    [...programArguments('bin/simulators.ts'), '--config', JSON.stringify(config)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  t.teardown(() => child.kill('SIGKILL'));
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { ready } = JSON.parse(line) as { ready: { marketplace: { url: string; adminUrl: string } } };
  const { adminUrl } = ready.marketplace;
  t.like((await call('GET', `${adminUrl}/switches`)).json(), { badToken: '403', refusedEnd: 'false' });
  const users = await Promise.all(
    Array.from({ length: 50 }, (_, index) => call('POST', `${adminUrl}/users`, { body: { userId: index } })),
  );
  child.kill('SIGKILL');
  await once(child, 'exit');
  const again = await startMarketplaceSimulator({ dataDir });
  t.teardown(() => again.close());
  for (const [index, before] of users.entries())
    t.is((await call('POST', `${again.adminUrl}/users`, { body: { userId: index } })).text, before.text);
});
