// What `npm run demo` does once the system runs: `node --import=tsx examples/demo.ts [--home .itembridge/demo] [--seed 7]`.
// An ERP pushes its catalogue, buyers bid at the marketplace simulator, and every number at the end must be as it must be.
import { parseArgs } from 'node:util';
import { runBuyers, type BuyersResult } from './buyers.ts';
import { faultyFile, loadCatalogue, loadFaultyItems, type CatalogueItem } from './catalogue/load-catalogue.ts';
import { checkDeliveries, missingDeliveries, type KnownEndpoint } from './demo/check-deliveries.ts';
import { ObservedSystem } from './demo/observed-system.ts';
import { failures, seconds, summaryTable } from './demo/summary.ts';
import { attributeProblems, problemsOf, rowsOf, type Observations } from './demo/verify-outcome.ts';
import { OutOfTime, waitUntil } from './demo/wait-until.ts';
import { expectedOutcome, type EndpointOf, type ExpectedOutcome } from './expected-outcome.ts';
import { pushCatalogue, type PushSummary } from './push-catalogue.ts';
import { readReadyFile, readSeededAccounts, type ReadyFile } from './ready-file.ts';

const longestMs = 300_000;
const soldShare = 1 / 3;
const endedShare = 1 / 9;

interface DemoRun {
  readonly ready: ReadyFile;
  readonly system: ObservedSystem;
  readonly items: readonly CatalogueItem[];
  readonly endpoints: readonly (KnownEndpoint & EndpointOf)[];
  readonly startedAt: number;
  readonly deadlineAt: number;
}

/** Runs the demo against the system of `home`. Returns what is off, empty when nothing is. Throws {@link OutOfTime}. */
export async function runDemo({ home, seed }: { home: string; seed: number }): Promise<string[]> {
  const ready = readReadyFile(home);
  const startedAt = Date.now();
  const system = new ObservedSystem(ready);
  const run: DemoRun = {
    ready,
    system,
    items: loadCatalogue(),
    endpoints: endpointsOf(home),
    startedAt,
    deadlineAt: startedAt + longestMs,
  };
  const first = await step(run, 'an ERP pushes its catalogue', () => push(run));
  await step(run, 'images are hosted, auctions go live', () => untilLive(run));
  const second = await step(run, 'the same catalogue once more', () => push(run));
  const faulty = await step(run, 'pushes that must be refused', () => push(run, faultyFile));
  const buyers = await step(run, 'buyers bid, auctions end', () =>
    runBuyers({ marketplaceAdminUrl: ready.simulators.marketplace.adminUrl, seed, soldShare, endedShare }),
  );
  const expected = expectation(run, buyers);
  await step(run, 'sales come back', () => untilClosed(run, buyers));
  await step(run, 'webhooks arrive', () => untilDelivered(run, expected));
  const observations = await observe(run, { expected, buyers, pushes: { first, second, faulty } });
  return report(run, observations);
}

async function step<T>({ startedAt }: DemoRun, what: string, work: () => Promise<T>): Promise<T> {
  process.stdout.write(`· ${what.padEnd(38)}`);
  const result = await work();
  process.stdout.write(`${seconds(Date.now() - startedAt).padStart(8)}\n`);
  return result;
}

function push({ ready, deadlineAt }: DemoRun, catalogueFile?: string): Promise<PushSummary> {
  if (Date.now() > deadlineAt) throw new OutOfTime('out of time before the catalogue was pushed');
  const { apiUrl, accounts, simulators } = ready;
  return pushCatalogue({
    apiUrl,
    accounts,
    imagesUrl: simulators.images.url,
    ...(catalogueFile === undefined ? {} : { catalogueFile }),
  });
}

/** Every item active, every auction that was asked for live, and their webhooks here. */
async function untilLive(run: DemoRun): Promise<void> {
  const isThere = (
    { autoPublishTradera }: CatalogueItem,
    status: { serviceStatus: string; marketplaceStatus: string },
  ): boolean =>
    status.serviceStatus === 'active' && (autoPublishTradera !== true || status.marketplaceStatus === 'active');
  await untilEach(run, { items: run.items, what: 'items to be live', isThere });
  await untilDelivered(run, expectation(run, { sold: [], ended: [] }));
}

async function untilClosed(run: DemoRun, { sold, ended }: BuyersResult): Promise<void> {
  const wanted = new Map([
    ...sold.map(({ externalId }) => [externalId, 'sold'] as const),
    ...ended.map(({ externalId }) => [externalId, 'ended'] as const),
  ]);
  const items = run.items.filter(({ externalId }) => wanted.has(externalId));
  await untilEach(run, {
    items,
    what: 'the ends of auctions to be seen',
    isThere: ({ externalId }, { marketplaceStatus }) => marketplaceStatus === wanted.get(externalId),
  });
}

interface Condition {
  readonly items: readonly CatalogueItem[];
  readonly what: string;
  readonly isThere: (item: CatalogueItem, status: { serviceStatus: string; marketplaceStatus: string }) => boolean;
}

/** Asks only about the items that were not there at the last look. */
async function untilEach({ system, deadlineAt }: DemoRun, { items, what, isThere }: Condition): Promise<void> {
  let waiting = [...items];
  const missing = async (): Promise<string[]> => {
    const looks = await Promise.all(waiting.map(async (item) => ({ item, status: await system.statusOf(item) })));
    const left = looks.filter(({ item, status }) => !isThere(item, status));
    waiting = left.map(({ item }) => item);
    return left.map(({ item, status }) => `${item.externalId} (${status.serviceStatus}, ${status.marketplaceStatus})`);
  };
  await waitUntil(missing, { what, deadlineAt, everyMs: 1000 });
}

async function untilDelivered({ system, deadlineAt }: DemoRun, { deliveries }: ExpectedOutcome): Promise<void> {
  await waitUntil(async () => missingDeliveries(await system.received(), deliveries), { what: 'webhooks', deadlineAt });
}

function expectation(
  { items, endpoints }: DemoRun,
  { sold, ended }: Pick<BuyersResult, 'sold' | 'ended'>,
): ExpectedOutcome {
  const names = (auctions: BuyersResult['sold']): string[] => auctions.map(({ externalId }) => externalId);
  return expectedOutcome({ items, endpoints, sold: names(sold), ended: names(ended) });
}

function endpointsOf(home: string): (KnownEndpoint & EndpointOf)[] {
  return readSeededAccounts(home).flatMap(({ externalId, endpoints }) =>
    endpoints.map(({ url, secret, scope }) => ({ account: externalId, path: new URL(url).pathname, secret, scope })),
  );
}

async function observe(
  { system, items, endpoints }: DemoRun,
  so: Pick<Observations, 'expected' | 'buyers' | 'pushes'>,
): Promise<Observations> {
  const [statuses, listings, received] = await Promise.all([
    Promise.all(items.map((item) => system.statusOf(item))),
    system.listings(),
    system.received(),
  ]);
  return {
    ...so,
    items,
    faultyItems: loadFaultyItems(),
    statuses,
    listings,
    received,
    deliveries: checkDeliveries(received, so.expected.deliveries, endpoints),
  };
}

async function report({ system, items, startedAt }: DemoRun, observations: Observations): Promise<string[]> {
  const stored = await Promise.all(items.map(async (item) => ({ item, attributes: await system.attributesOf(item) })));
  const readable = stored.flatMap(({ item, attributes }) => (attributes === undefined ? [] : [{ item, attributes }]));
  const rows = rowsOf(observations);
  const { deliveries, received, pushes } = observations;
  console.log(`\n${summaryTable(rows)}\n`);
  console.log(`${deliveries.verified} deliveries, both signatures of each verified; ${deliveries.repeats} repeats`);
  console.log(
    `first auction live after ${seconds(firstLiveAt(received) - startedAt)}, everything after ${seconds(Date.now() - startedAt)}`,
  );
  console.log(`attributes read back and compared: ${readable.length} of ${items.length} items`);
  for (const { externalId, message } of pushes.first.warnings) console.log(`note for ${externalId}: ${message}`);
  return failures(rows, [...problemsOf(observations), ...readable.flatMap(attributeProblems)]);
}

/** When the first listing.created came in; milliseconds since the epoch. */
function firstLiveAt(received: Observations['received']): number {
  const isLive = ({ rawBase64 }: { rawBase64: string }): boolean =>
    Buffer.from(rawBase64, 'base64').includes('"listing.created"');
  return Math.min(...received.filter(isLive).map(({ at }) => Date.parse(at)));
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { home: { type: 'string', default: '.itembridge' }, seed: { type: 'string', default: '7' } },
  });
  const off = await runDemo({ home: values.home, seed: Number(values.seed) });
  if (off.length === 0) {
    console.log('✓ every number is as it must be');
    return;
  }
  console.error(`✗ ${off.length} off:\n${off.map((problem) => `  ${problem}`).join('\n')}`);
  process.exitCode = 1;
}

await main().catch((error: unknown) => {
  console.error(`\n✗ ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});
