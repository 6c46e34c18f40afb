import { setTimeout as pause } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';
import pLimit from 'p-limit';
import { until } from '../../../test/support/until.ts';
import { overlaps, readAds, type Ad } from './marketplace-history.ts';
import type { Ending } from './stories.ts';
import { readStored, type Stored, type StoredEvent, type StoredRow } from './stored.ts';
import type { Storm } from './storm.ts';
import type { System } from './system.ts';

/** Every write that was accepted became true, nothing happened twice, nothing is left to do. */
export async function assertEndings(t: ExecutionContext, system: System, storm: Storm): Promise<void> {
  await storm.done;
  const began = Date.now();
  await untilAtRest(t, system, storm);
  t.log(`at rest ${Math.round((Date.now() - began) / 1000)} s after the last write`);
  const [stored, ads] = [await readStored(system), await readAds(system)];
  t.deepEqual(overlaps(ads), [], 'never two auctions of one external id');
  t.deepEqual(problemsOfEvents(stored, ads), [], 'events');
  t.deepEqual(
    stored.orders.map(({ adId }) => adId).toSorted(),
    adIdsIn(ads, 'sold'),
    'one order for each auction that was won',
  );
  t.deepEqual(await problemsOfAnswers(system, storm), [], 'what the API says');
  await untilDelivered(t, system, stored);
  t.deepEqual(await brokenWorkflows(system), [], 'no workflow failed');
  const { length: auctions } = ads;
  t.log(`${auctions} auctions, ${stored.orders.length} orders, ${stored.events.length} events`);
}

async function untilAtRest(t: ExecutionContext, system: System, storm: Storm): Promise<void> {
  let problems: string[] = [];
  const probe = async (): Promise<boolean> => {
    await pause(300);
    const [stored, ads] = [await readStored(system), await readAds(system)];
    problems = [
      ...stored.rows.flatMap(restlessness),
      ...[...storm.lives].flatMap(([externalId, { name, ending }]) =>
        problemsOf({ externalId, ending, stored, ads, storm }).map((problem) => `${externalId} (${name}): ${problem}`),
      ),
    ];
    return problems.length === 0;
  };
  try {
    await until('every life is at its end', probe, 150_000);
  } catch {
    t.deepEqual(problems, [], 'every life is at its end');
  }
}

/** Nothing is owed, or it waits for what only the outside can bring, and says so. */
const restlessness = (row: StoredRow): string[] =>
  row.revision === row.settledRevision ||
  row.processing.waitingFor === 'auction_end' ||
  row.processing.waitingFor === 'previous_listing'
    ? []
    : [`${row.externalId}: owes work (${row.processing.stage}, ${row.processing.waitingFor ?? 'not waiting'})`];

interface Life {
  readonly externalId: string;
  readonly ending: Ending;
  readonly stored: Stored;
  readonly ads: readonly Ad[];
  readonly storm: Storm;
}

function problemsOf(life: Life): string[] {
  const own = life.ads.filter(({ externalId }) => externalId === life.externalId);
  return [
    ...problemsOfUp(
      life,
      own.filter(({ upUntil }) => upUntil === Infinity),
    ),
    ...differs('won auctions', own.filter(({ state }) => state === 'sold').length, life.ending.sales ?? 0),
    ...problemsOfFailures(life),
  ];
}

function problemsOfUp({ externalId, ending, storm }: Life, up: readonly Ad[]): string[] {
  const seen = up.map(({ adId, title, startPrice }) => ({
    title,
    price: startPrice,
    first: adId === storm.firstAds.get(externalId)?.adId,
  }));
  return differs('up', seen, ending.up === undefined ? [] : [ending.up]);
}

function problemsOfFailures({ externalId, ending, stored }: Life): string[] {
  const told = stored.events.filter((event) => event.externalId === externalId && event.type === 'listing.failed');
  const codes = told.map(({ data }) => String(data['error']).split(':')[0] ?? '');
  const expected = ending.failures ?? {};
  const unexpected = codes.filter((code) => expected[code] === undefined);
  return [
    ...differs('unexpected listing.failed', unexpected, []),
    ...Object.entries(expected).flatMap(([code, [least, most]]) => {
      const count = codes.filter((one) => one === code).length;
      return count >= least && count <= most ? [] : [`${code} was told ${count} times`];
    }),
  ];
}

/** Complete, in order, and told of each occurrence once. */
function problemsOfEvents({ rows, events }: Stored, ads: readonly Ad[]): string[] {
  const adIdsOf = (type: string): string[] =>
    events
      .filter((event) => event.type === type)
      .map(({ data }) => String(data['marketplaceAdId']))
      .toSorted();
  return [
    ...differs(
      'account numbers',
      events.map(({ number }) => number),
      events.map((_event, index) => index + 1),
    ),
    ...differs(
      'item.created',
      events
        .filter(({ type }) => type === 'item.created')
        .map(({ itemId }) => itemId)
        .toSorted(),
      rows.map(({ _id }) => _id).toSorted(),
    ),
    ...differs('listing.created', adIdsOf('listing.created'), ads.map(({ adId }) => adId).toSorted()),
    ...differs('listing.ended', adIdsOf('listing.ended'), adIdsIn(ads, 'ended')),
    ...differs('item.sold', adIdsOf('item.sold'), adIdsIn(ads, 'sold')),
    ...rows.flatMap((row) => problemsOfSequence(row, rows, events)),
  ];
}

const adIdsIn = (ads: readonly Ad[], state: string): string[] =>
  ads
    .filter((ad) => ad.state === state)
    .map(({ adId }) => adId)
    .toSorted();

/** Each number of an item was stored once, and all of them are higher than those of the items before it. */
function problemsOfSequence(row: StoredRow, rows: readonly StoredRow[], events: readonly StoredEvent[]): string[] {
  const numbers = events
    .filter(({ itemId }) => itemId === row._id)
    .map(({ sequence }) => sequence)
    .toSorted((one, two) => one - two);
  const first = numbers[0] ?? 0;
  const whole = numbers.map((_number, index) => first + index);
  const former = rows.filter(({ externalId, createdAt }) => externalId === row.externalId && createdAt < row.createdAt);
  return [
    ...differs(`${row.externalId} sequence`, numbers, whole),
    ...differs(`${row.externalId} last sequence`, numbers.at(-1), row.sequence),
    ...(former.every(({ sequence }) => sequence < first) ? [] : [`${row.externalId}: its sequence begins too low`]),
  ];
}

/** What each caller reads now is what was accepted last. */
async function problemsOfAnswers(system: System, storm: Storm): Promise<string[]> {
  const limit = pLimit(8);
  const checks = [...storm.lives].map(([externalId, { name, ending }]) =>
    limit(async () => differs(`${externalId} (${name})`, await readAnswer(system, externalId), ending.item)),
  );
  return (await Promise.all(checks)).flat();
}

async function readAnswer(system: System, externalId: string): Promise<unknown> {
  const answer = await system.call('GET', externalId);
  if (answer?.status === 404) return 'gone';
  if (answer?.status !== 200) return answer;
  const { serviceStatus, marketplaceStatus, price } = JSON.parse(answer.text) as Record<string, unknown>;
  return { service: serviceStatus, marketplace: marketplaceStatus, price };
}

/** A delivery whose start got lost is found when its row is due, so some come late. */
async function untilDelivered(t: ExecutionContext, system: System, { events }: Stored): Promise<void> {
  const read = async (): Promise<string[]> => (await system.received()).map(({ body }) => body.eventId);
  const missing = async (): Promise<string[]> => {
    const delivered = new Set(await read());
    return events.map(({ _id }) => _id).filter((id) => !delivered.has(id));
  };
  const began = Date.now();
  const probe = async (): Promise<boolean> => {
    await pause(300);
    return (await missing()).length === 0;
  };
  await until('every event is delivered', probe, 180_000).catch(() => undefined);
  t.deepEqual(await describeDeliveries(system, await missing()), [], 'every event is delivered');
  const delivered = await read();
  t.deepEqual([...new Set(delivered)].toSorted(), events.map(({ _id }) => _id).toSorted(), 'no event besides');
  const seconds = Math.round((Date.now() - began) / 1000);
  t.log(`all delivered ${seconds} s later, ${delivered.length - events.length} twice with the same eventId`);
}

/** For whoever has to find out why an event did not arrive. */
async function describeDeliveries({ foundation }: System, eventIds: readonly string[]): Promise<unknown[]> {
  const deliveries = foundation.store.connection.collection('deliveries');
  const projection = { eventId: 1, state: 1, attempts: 1, waits: 1, startAt: 1, retryAt: 1 };
  return deliveries.find({ eventId: { $in: [...eventIds] } }, { projection }).toArray();
}

/** Workflows that ended otherwise than well, or whose code fails. */
async function brokenWorkflows({ foundation, taskQueue }: System): Promise<string[]> {
  const queue = `TaskQueue STARTS_WITH '${taskQueue}.'`;
  const states = `ExecutionStatus IN ('Failed', 'TimedOut', 'Terminated', 'Canceled')`;
  const broken: string[] = [];
  for (const condition of [states, 'TemporalReportedProblems IS NOT NULL'])
    for await (const run of foundation.client.workflow.list({ query: `${queue} AND ${condition}` }))
      broken.push(`${run.workflowId} ${run.status.name}`);
  return broken;
}

function differs(what: string, seen: unknown, wanted: unknown): string[] {
  const [one, two] = [JSON.stringify(seen), JSON.stringify(wanted)];
  return one === two ? [] : [`${what}: ${one} instead of ${two}`];
}
