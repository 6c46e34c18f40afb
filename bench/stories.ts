// npm run evidence -- stories: what each story takes of the database and of Temporal, and how long it takes when nothing else happens.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { setUpAccount, type ApiAccount } from '../test/support/set-up-account.ts';
import { setUpReseller } from '../test/support/set-up-reseller.ts';
import { callAdmin } from '../test/support/world.ts';
import { writeEvidence } from '../test/support/write-evidence.ts';
import { startReceiver, tlsSettings } from './contenders/contender.ts';
import { runBulkFile } from './cases/bulk.ts';
import { itemBody, startPrice } from './support/catalogue.ts';
import { perSecondOf, startCounter, workBetween, type Counter, type Work } from './support/count-work.ts';
import { ForkedProcess } from './support/forked-process.ts';
import { photoSizes } from './support/photos.ts';
import { startProduct, type Product } from './support/product.ts';
import { median } from './support/result.ts';
import { startServers, type BenchServers } from './support/servers.ts';

/** What happens to one item; resolves when nothing is left to do. */
interface Story {
  readonly name: string;
  readonly tell: (externalId: string) => Promise<unknown>;
  /** The items of these were made by an earlier story. */
  readonly prefix: string;
  readonly burst: number;
}

interface Told {
  readonly name: string;
  readonly ms: number | null;
  readonly alone: Work | null;
  readonly together: Work;
  readonly burst: number;
}

const aloneCount = 10;
const warmUpCount = 5;
const bulkLines = 2_000;

const folder = mkdtempSync(join(tmpdir(), 'itembridge-stories-'));
const servers = await startServers(folder, undefined);
try {
  const told = await tellAll(servers);
  writeEvidence('stories.md', pageOf(told));
} finally {
  await servers.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function tellAll(on: BenchServers): Promise<Told[]> {
  await using receiver = await startReceiver(on);
  const settings = { MARKETPLACE_CALLS_PER_DAY: '100000' };
  await using product = await startProduct(on, { withWorker: true, settings });
  await using imageHost = await ForkedProcess.start<{ url: string }>('image-host', tlsSettings(on.certificates));
  await using counter = await startCounter(on, product);
  const settled = ({ id: accountId }: { readonly id: string }, externalId: string) =>
    counter.untilSettled({ accountId, externalId });
  const quiet = await setUpAccount(product.foundation);
  const told = await setUpAccount(product.foundation, { webhookUrl: `${receiver.ready.url}/ok` });
  const selling = await setUpAccount(product.foundation, { openMarketplace: (userId) => openSeller(on, userId) });
  const [quietCalls, toldCalls, sellingCalls] = [
    callerOf(product, quiet),
    callerOf(product, told),
    callerOf(product, selling),
  ];
  let arrivals = 0;
  const stories: Story[] = [
    {
      name: 'PUT of a new item, until it owes nothing',
      prefix: 'plain',
      burst: 100,
      tell: async (id) => {
        await quietCalls.put(id, itemBody(startPrice));
        await settled(quiet, id);
      },
    },
    { name: 'the same PUT again', prefix: 'plain', burst: 100, tell: (id) => quietCalls.put(id, itemBody(startPrice)) },
    {
      name: 'a new price of an item that is not for sale',
      prefix: 'plain',
      burst: 100,
      tell: async (id) => {
        await quietCalls.patchPrice(id, startPrice + 100);
        await settled(quiet, id);
      },
    },
    {
      name: 'PUT of a new item, until its event has reached one receiver',
      prefix: 'told',
      burst: 100,
      tell: async (id) => {
        await toldCalls.put(id, itemBody(startPrice));
        arrivals += 1;
        await counter.untilDelivered(arrivals);
        await settled(told, id);
      },
    },
    {
      name: 'PUT of a new item with three pictures of 2 MP, until it owes nothing',
      prefix: 'shown',
      burst: 20,
      tell: async (id) => {
        await quietCalls.put(id, { ...itemBody(startPrice), imageUrls: threePictures(imageHost.ready.url, id) });
        await settled(quiet, id);
      },
    },
    {
      name: 'PUT of a new item with a picture, until it is for sale',
      prefix: 'sold',
      burst: 20,
      tell: async (id) => {
        await sellingCalls.put(id, forSale(on));
        await settled(selling, id);
      },
    },
    {
      name: 'a new price of an item that is for sale, until the auction has it',
      prefix: 'sold',
      burst: 20,
      tell: async (id) => {
        await sellingCalls.patchPrice(id, startPrice + 100);
        await settled(selling, id);
      },
    },
  ];
  const rows: Told[] = [];
  const idle = await idleWork(counter);
  for (const story of stories) rows.push(await tellOne(counter, story, idle));
  return [...rows, ...(await tellBulk(counter, product, idle))];
}

async function tellOne(counter: Counter, { name, prefix, tell, burst }: Story, idle: Work): Promise<Told> {
  const ids = (kind: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix}-${kind}-${n}`);
  for (const id of ids('warm', warmUpCount)) await tell(id);
  const durations: number[] = [];
  const alone = await middleOf((round) =>
    workBetween(counter, { idle, count: aloneCount }, async () => {
      for (const id of ids(`alone-${round}`, aloneCount)) {
        const startedAt = performance.now();
        await tell(id);
        durations.push(performance.now() - startedAt);
      }
    }),
  );
  const together = await middleOf((round) =>
    workBetween(counter, { idle, count: burst }, () => Promise.all(ids(`burst-${round}`, burst).map(tell))),
  );
  console.error(`  ${name}`);
  return { name, ms: median(durations), alone, together, burst };
}

/** Of three rounds, because collectors of the service work now and then. */
async function middleOf(measure: (round: number) => Promise<Work>): Promise<Work> {
  const rounds: Work[] = [];
  while (rounds.length < 3) {
    // What trails behind the last round, such as the log of calls, is written within a second.
    await pause(1_500);
    rounds.push(await measure(rounds.length));
  }
  const middle = (read: (work: Work) => number): number => median(rounds.map(read));
  return {
    rows: middle(({ rows }) => rows),
    commands: middle(({ commands }) => commands),
    workflowEvents: middle(({ workflowEvents }) => workflowEvents),
    atMs: middle(({ atMs }) => atMs),
  };
}

async function tellBulk(counter: Counter, product: Product, idle: Work): Promise<Told[]> {
  const reseller = await setUpReseller(product.foundation, 10);
  const file = { lines: bulkLines, members: reseller.members, prefix: 'line' };
  const rows: Told[] = [];
  for (const name of ['a new line of a bulk sync, until its item owes nothing', 'an unchanged line of a bulk sync']) {
    const together = await workBetween(counter, { idle, count: bulkLines }, async () => {
      await runBulkFile(product, reseller, file);
      await counter.untilAllSettled();
    });
    rows.push({ name, ms: null, alone: null, together, burst: bulkLines });
  }
  return rows;
}

/** What API and worker do without any story, in a second. */
async function idleWork(counter: Counter): Promise<Work> {
  const seconds = 10;
  const before = await counter.count();
  await pause(seconds * 1_000);
  return perSecondOf(before, await counter.count(), seconds);
}

async function openSeller({ simulators }: BenchServers, userId: string): Promise<string> {
  const users = `${simulators.marketplace.adminUrl}/users`;
  return (await callAdmin<{ token: string }>(users, 'POST', { userId })).token;
}

function forSale({ simulators }: BenchServers): object {
  const [picture = ''] = readdirSync('examples/catalogue/images');
  const imageUrls = [`${simulators.images.url}/${picture}`];
  return { ...itemBody(startPrice), imageUrls, autoPublishTradera: true };
}

/** Each with bytes of its own. */
function threePictures(url: string, id: string): string[] {
  return ['front', 'side', 'back'].map((name) => `${url}/${photoSizes['2 MP'].kind}/${id}-${name}`);
}

/** The calls of an account's programs; each must be accepted. */
function callerOf({ apiUrl }: Product, { headers }: ApiAccount) {
  const call = async (method: string, path: string, body: object): Promise<void> => {
    const url = `${apiUrl}/integration/v1/items/${path}`;
    const answer = await fetch(url, { method, headers, body: JSON.stringify(body) });
    const text = await answer.text();
    if (answer.status !== 202) throw new Error(`${method} ${path} was answered ${answer.status}: ${text}`);
  };
  return {
    put: (id: string, body: object) => call('PUT', id, body),
    patchPrice: (id: string, price: number) => call('PATCH', `${id}/price`, { price }),
  };
}

function pageOf(rows: readonly Told[]): string {
  const figure = (value: number): string => value.toFixed(1);
  const lines = rows.map(({ name, ms, alone, together, burst }) => {
    const cells = [
      name,
      ms === null ? '–' : ms.toFixed(0),
      ...(alone === null ? ['–', '–'] : [figure(alone.rows), figure(alone.commands)]),
      figure((alone ?? together).workflowEvents),
      String(burst),
      figure(together.rows),
      figure(together.commands),
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return [
    '# What each story takes',
    '',
    `Measured with one API and one worker on ${new Date().toISOString().slice(0, 10)}. *Rows* are documents that MongoDB inserted, changed or deleted; *commands* are all that API and worker sent it, less what they send without work; *workflow events* are events of Temporal histories. *Alone* means one after the other, ${String(aloneCount)} times; *together* means all at the same moment, so that they share round trips; each is the middle of three rounds. The time is the median of those alone, from the request until nothing is left to do.`,
    '',
    '| story | ms | rows, alone | commands, alone | workflow events | together | rows each | commands each |',
    '|---|--:|--:|--:|--:|--:|--:|--:|',
    ...lines,
    '',
  ].join('\n');
}
