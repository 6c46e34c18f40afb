import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { until } from '../../test/support/until.ts';
import { arm, mortal } from './support/mortal.ts';
import { startSystem, type System } from './support/system.ts';

// A process dies at each single write to the database that a story takes, once before it and once right after its answer. There is
// no list of the points: they are tried by number until the story ends without a death.

const [price, newPrice] = [100, 250];
const moments = ['before', 'after'] as const;

/** So many points at a time, each lane in a system of its own: most of the time is waiting until others take over. */
const lanes = 4;

interface Point {
  readonly which: 'worker' | 'api';
  readonly number: number;
  readonly moment: (typeof moments)[number];
}

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body: object;
}

/** Calls until it is answered: the API may be dead. */
async function insist(system: System, { method, path, body }: Sent, meanwhile: () => Promise<void>): Promise<void> {
  const status = await until(`${method} ${path} is answered`, async () => {
    await meanwhile();
    const answer = await system.call(method, path, body);
    return answer !== null && answer.status < 500 && answer.status;
  });
  if (status !== 202) throw new Error(`${method} ${path} was answered ${status}`);
}

const adsOf = async (system: System, externalId: string) =>
  (await system.listings()).filter(
    ({ state, ownReferences }) => state !== 'uncommitted' && ownReferences.includes(externalId),
  );

/** The item is pushed and published, and its auction gets a new price. */
async function tellStory(system: System, externalId: string, meanwhile: () => Promise<void>): Promise<void> {
  const imageUrls = [`${system.images.url}/bakljus-1.jpg`];
  const body = { title: 'Ratt', price, imageUrls, autoPublishTradera: true };
  await insist(system, { method: 'PUT', path: externalId, body }, meanwhile);
  await until(`${externalId} is for sale`, async () => {
    await meanwhile();
    return (
      (await adsOf(system, externalId)).length > 0 && (await system.status(externalId)).marketplaceStatus === 'active'
    );
  });
  await insist(system, { method: 'PATCH', path: `${externalId}/price`, body: { price: newPrice } }, meanwhile);
  await until(`${externalId} is settled`, async () => {
    await meanwhile();
    const row = await rowsOf(system, 'items').findOne({ externalId });
    return (
      row?.['revision'] === row?.['settledRevision'] && (await adsOf(system, externalId))[0]?.startPrice === newPrice
    );
  });
  await until(`${externalId} is told`, async () => {
    await meanwhile();
    const rows = await rowsOf(system, 'deliveries').find({ externalId }).toArray();
    return rows.length === 3 && rows.every(({ state }) => state !== 'pending');
  });
}

const rowsOf = ({ foundation: { store } }: System, name: string) => store.connection.collection(name);

/** What a dead process had in hand is done by its heir, each thing once. */
async function assertOnce(t: ExecutionContext, system: System, { externalId, at }: { externalId: string; at: string }) {
  const ads = await adsOf(system, externalId);
  t.deepEqual(
    ads.map(({ startPrice, imageCount }) => ({ startPrice, imageCount })),
    [{ startPrice: newPrice, imageCount: 1 }],
    at,
  );
  const types = async (name: string): Promise<unknown[]> => {
    const rows = await rowsOf(system, name).find({ externalId }).toArray();
    return rows.map(({ eventType }) => eventType as unknown).sort();
  };
  const told = ['item.created', 'item.images_ready', 'listing.created'];
  t.deepEqual(await types('deliveries'), told, at);
  const received = (await system.received()).filter(({ body }) => body.data.externalId === externalId);
  const ids = new Map(received.map(({ body: { eventId, eventType } }) => [eventId, eventType]));
  t.deepEqual([...ids.values()].sort(), told, `${at}: each event has one id, however often it was sent`);
  const events = await rowsOf(system, 'events')
    .find({ _id: { $in: [...ids.keys()] as never[] } })
    .toArray();
  t.is(events.length, told.length, at);
  const deliveries = await rowsOf(system, 'deliveries').find({ externalId }).toArray();
  for (const { state, attempts } of deliveries) t.true(state === 'succeeded' && (attempts as number) <= 5, at);
}

/** Returns what the process died at; undefined when the story was over before. */
async function tryPoint(t: ExecutionContext, system: System, point: Point): Promise<string | undefined> {
  const { which } = point;
  const externalId = `${which}-${point.number}-${point.moment}`;
  const diedFile = join(process.env['TEST_DIRECTORY'] ?? '.', `${system.taskQueue}-${externalId}`);
  const heir = system[which];
  const dying = mortal(heir, `${point.number}:${point.moment}`, diedFile);
  await heir.stop();
  await dying.start();
  arm(dying);
  let isReplaced = false;
  const replace = async (): Promise<void> => {
    if (isReplaced || !existsSync(diedFile)) return;
    isReplaced = true;
    await dying.kill9();
    await heir.start();
  };
  await tellStory(system, externalId, replace);
  const at = existsSync(diedFile) ? readFileSync(diedFile, 'utf8') : undefined;
  await assertOnce(t, system, { externalId, at: at ?? 'no death' });
  if (!isReplaced) {
    await dying.stop();
    await heir.start();
  }
  return at;
}

/** What is among the writes: `$cmd` is the commit, and what follows from it; an attempt is recorded in its log, then in its row. */
const placesOf = {
  worker: ['items', '$cmd'],
  api: ['items', 'deliveries', '$cmd', 'delivery_attempts'],
} as const;

for (const which of ['worker', 'api'] as const)
  test(`${which}: killed before and after each write of an item's story, the next one ends it: one auction, each event once`, async (t) => {
    t.timeout(60 * 60_000);
    const deaths: string[] = [];
    let next = 1;
    let last = Number.POSITIVE_INFINITY;
    const found = ({ number, at }: { number: number; at: string | undefined }): void => {
      if (at === undefined) last = Math.min(last, number);
      else deaths.push(at);
    };
    const lane = async (): Promise<void> => {
      const system = await startSystem();
      try {
        while (next <= last) {
          const number = next;
          next += 1;
          for (const moment of moments) found({ number, at: await tryPoint(t, system, { which, number, moment }) });
        }
      } catch (error) {
        // The other lanes end, too.
        last = 0;
        throw error;
      } finally {
        await system.stop();
      }
    };
    await Promise.all(Array.from({ length: lanes }, lane));
    t.log(deaths.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })).join('\n'));
    const places = new Set(deaths.map((death) => death.replace(/.* of /, '')));
    const missing = placesOf[which].filter((place) => !places.has(place));
    t.deepEqual(missing, [], 'a write that is not reached proves nothing');
  });
