import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { MongoClient, type Db, type Document } from 'mongodb';
import type { Browser, Page } from 'playwright-core';
import type { ReadyState } from '../../../embedded/ready-file.ts';
import { until } from '../../support/until.ts';
import { openPage } from './open-page.ts';
import { aPartner, call, signIn } from './people.ts';
import { present } from '../../support/clock.ts';

const folder = join('build', 'screenshots');
const runs = 5;
const itemsOfMember = 4;

/** Pages of a reseller, and what is there once their data is shown. */
const pages: readonly (readonly [name: string, path: string, shown: string])[] = [
  ['overview', '/dashboard', '.overview-figure-count'],
  ['members', '/dashboard/reseller', '.table tbody tr'],
  ['members, sorted by failing items', '/dashboard/reseller?sort=failing', '.table tbody tr'],
  ['members, searched', '/dashboard/reseller?q=Medlem%2010', '.table tbody tr'],
  ['items of all members', '/dashboard/items?members=all', '.items-name'],
  ['overview of all members', '/dashboard?members=all', '.overview-figure-count'],
  ['orders of all members', '/dashboard/orders?members=all', '.table tbody tr'],
  ['bulk syncs', '/dashboard/bulk-syncs', '.table tbody tr'],
];

/** Load times of a reseller's pages with so many members, and a picture of each. */
export async function measureReseller(
  browser: Browser,
  ready: ReadyState,
  memberCounts: readonly number[],
): Promise<string> {
  const [reseller] = ready.accounts;
  if (reseller?.role !== 'reseller') throw new Error('the demo accounts are missing');
  mkdirSync(folder, { recursive: true });
  const client = new MongoClient(ready.mongodbUri);
  const found: (readonly [name: string, figures: readonly Shown[]])[] = pages.map(([name]) => [name, []]);
  try {
    for (const count of memberCounts) {
      await addMembers(client.db('itembridge'), ready, { count, apiKey: reseller.apiKey });
      const { page, context } = await openPage(browser, ready.apiUrl);
      await signIn(page, reseller);
      for (const [n, [name, path, shown]] of pages.entries()) {
        const figures = await load(page, { path, shown });
        found[n] = [name, [...(found[n]?.[1] ?? []), figures]];
        const file = `reseller-${count}-${name.replaceAll(/[ ,]+/g, '-')}.png`;
        await page.screenshot({ path: join(folder, file), fullPage: true });
      }
      await context.close();
    }
  } finally {
    await client.close();
  }
  const head = memberCounts.map((count) => `${count.toLocaleString('en')} members: data shown | height`).join(' | ');
  return [
    `Pages of a reseller, each member with ${itemsOfMember} items and an order; ms from the beginning of the navigation, median of five, warm cache, and pixels:`,
    '',
    `| page | ${head} |`,
    `|---|${memberCounts.map(() => '---:|---:|').join('')}`,
    ...found.map(([name, all]) => `| ${name} | ${all.map(({ ms, px }) => `${ms} | ${px}`).join(' | ')} |`),
  ].join('\n');
}

interface Shown {
  readonly ms: number;
  /** Height of the whole page. */
  readonly px: number;
}

async function load(page: Page, { path, shown }: { path: string; shown: string }): Promise<Shown> {
  const times: number[] = [];
  while (times.length <= runs) {
    const startedAt = performance.now();
    await page.goto(path, { waitUntil: 'commit' });
    await page.locator(shown).first().waitFor({ timeout: 60_000 });
    times.push(performance.now() - startedAt);
  }
  // The first one filled the cache.
  const ms = Math.round(times.slice(1).sort((a, b) => a - b)[runs >> 1] ?? NaN);
  return { ms, px: await page.evaluate<number>('document.documentElement.scrollHeight') };
}

type Row = Document & { _id: string };

interface Wanted {
  readonly count: number;
  readonly apiKey: string;
}

/** Rows of one member that is there are copied: to register two thousand takes minutes of hashing. Their items come by file, and their orders are copies of one. */
async function addMembers(database: Db, { apiUrl }: ReadyState, { count, apiKey }: Wanted): Promise<void> {
  const accounts = database.collection<Row>('accounts');
  const connections = database.collection<Row>('member_connections');
  const { resellerAccountId, memberAccountId, ...connection }: Document = (await connections.findOne()) ?? {};
  const account = await accounts.findOne({ _id: String(memberAccountId) });
  const there = await connections.countDocuments({ resellerAccountId });
  const added = Array.from({ length: count - there }, (_, n) => ({ id: randomUUID(), number: there + n + 1 }));
  await accounts.insertMany(
    added.map(({ id, number }) => ({
      ...account,
      _id: id,
      email: `${id}@members.example`,
      name: `Medlem ${number} i Västra Götaland`,
    })),
  );
  await connections.insertMany(
    added.map(({ id, number }) => ({
      ...connection,
      _id: randomUUID(),
      resellerAccountId,
      memberAccountId: id,
      externalId: `butik-${number}`,
      sharesOrders: true,
    })),
  );
  const lines = added.flatMap(({ number }) =>
    Array.from({ length: itemsOfMember }, (_, n) => ({
      account: `butik-${number}`,
      externalId: `vara-${n}`,
      title: `Vara ${n} av butik ${number}`,
      price: 100 + number,
      imageUrls: [],
      domain: { domain: 'toys' },
    })),
  );
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/x-ndjson' };
  const body = lines.map((line) => JSON.stringify(line)).join('\n');
  const answer = await fetch(`${apiUrl}/integration/v1/bulk-syncs`, { method: 'POST', headers, body });
  if (!answer.ok) throw new Error(`the file was refused: ${answer.status} ${await answer.text()}`);
  const { id } = (await answer.json()) as { id: string };
  const progress = (): Promise<{ state: string }> =>
    call(`${apiUrl}/integration/v1/bulk-syncs/${id}`, 'GET', { headers: { 'x-api-key': apiKey } });
  await until('the file is applied', async () => (await progress()).state === 'completed', 900_000);
  const items = database.collection('items');
  const isDue = { startAt: { $lte: present(60_000) } };
  const orders = database.collection<Row>('orders');
  // The examples of the start have sold some things.
  const order = await orders.findOne();
  await orders.insertMany(
    added.map(({ id }) => ({ ...order, _id: randomUUID(), accountId: id, itemId: randomUUID(), adId: null })),
  );
  await until('nothing is owed', async () => (await items.countDocuments(isDue)) === 0, 900_000);
}

/** From the answer to a write until a page that is open shows it. */
export async function measureChanges(browser: Browser, ready: ReadyState): Promise<string> {
  const partner = await aPartner(ready);
  await partner.push('seen', { title: 'A thing that is watched' });
  const { page, context } = await openPage(browser, ready.apiUrl);
  await signIn(page, partner);
  await page.goto('/dashboard/items');
  await page.locator('.items-name').first().waitFor();
  const latencies: number[] = [];
  for (let price = 1_101; latencies.length < 20; price += 1) {
    await page.evaluate(`new Promise((resolve) => {
      const shown = new RegExp('1.?${String(price).slice(1)}');
      window.seenAt = new Promise((seen) => {
        const observer = new MutationObserver(() => {
          if (!shown.test(document.querySelector('main').textContent)) return;
          observer.disconnect();
          seen(Date.now());
        });
        observer.observe(document, { childList: true, characterData: true, subtree: true });
      });
      resolve();
    })`);
    await partner.push('seen', { title: 'A thing that is watched', price });
    const answeredAt = present().getTime();
    latencies.push((await page.evaluate<number>('window.seenAt')) - answeredAt);
  }
  await context.close();
  const sorted = latencies.toSorted((a, b) => a - b);
  const [median = NaN, slowest = NaN] = [sorted[sorted.length >> 1], sorted.at(-1)];
  return `From the answer to a PUT until a list that is open shows the new price, twenty times: median ${median} ms, slowest ${slowest} ms.`;
}
