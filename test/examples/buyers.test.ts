import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { runBuyers } from '../../examples/buyers.ts';

/** A marketplace that only remembers what it was told, with auctions numbered from `firstItemId`. */
async function aMarketplace(t: ExecutionContext, { auctions = 18, firstItemId = 100 } = {}) {
  const calls: { path: string; amount: number | undefined }[] = [];
  const listings = Array.from({ length: auctions }, (_, index) => ({
    itemId: firstItemId + index,
    ownReferences: [`A${index}`],
    startPrice: 100,
  }));
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = chunks.length === 0 ? {} : (JSON.parse(Buffer.concat(chunks).toString()) as { amount?: number });
      if (request.method === 'POST') calls.push({ path: request.url ?? '', amount: body.amount });
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ listings }));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  return { adminUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/admin`, calls };
}

test('a third is bid on and ended, a ninth ended without a bid, the rest left alone', async (t) => {
  const { adminUrl, calls } = await aMarketplace(t);
  const result = await runBuyers({ marketplaceAdminUrl: adminUrl, seed: 1, soldShare: 1 / 3, endedShare: 1 / 9 });
  t.like({ live: result.live, sold: result.sold.length, ended: result.ended.length }, { live: 18, sold: 6, ended: 2 });
  t.is(calls.filter(({ path }) => path.endsWith('/end')).length, 8);
  t.is(calls.filter(({ path }) => path.endsWith('/bids')).length, result.bids);
});

test('bids rise from the starting price, and the last one is the amount that is reported', async (t) => {
  const { adminUrl, calls } = await aMarketplace(t);
  const { sold } = await runBuyers({ marketplaceAdminUrl: adminUrl, seed: 1, soldShare: 1, endedShare: 0 });
  for (const { adId, amount } of sold) {
    const amounts = calls.filter(({ path }) => path === `/admin/listings/${adId}/bids`).map((call) => call.amount ?? 0);
    t.deepEqual(
      amounts,
      [...new Set(amounts)].sort((one, two) => one - two),
    );
    t.deepEqual([amounts[0], amounts.at(-1)], [100, amount]);
  }
});

test('the same seed chooses the same items, whatever numbers their auctions have', async (t) => {
  const chosen = async (firstItemId: number, seed: number): Promise<string[]> => {
    const { adminUrl } = await aMarketplace(t, { firstItemId });
    const { sold } = await runBuyers({ marketplaceAdminUrl: adminUrl, seed, soldShare: 1 / 3, endedShare: 0 });
    return sold.map(({ externalId }) => externalId);
  };
  t.deepEqual(await chosen(100, 5), await chosen(900, 5));
  t.notDeepEqual(await chosen(100, 5), await chosen(100, 6));
});
