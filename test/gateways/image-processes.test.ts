import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { DecoderMemory } from '../../gateways/image-process/decoder-memory.ts';
import { createImageProcesses, type ImageProcessesOptions } from '../../gateways/image-process/image-processes.ts';
import { UnusableImage, type ImagePlaces } from '../../gateways/image-process/port.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { isRunning } from './support/process-memory.ts';

const program = join(import.meta.dirname, 'support/scripted-process.mjs');
const place = { kind: 'file', path: '', temporary: '' } as const;
const never = new AbortController().signal;

interface Options {
  readonly account?: string;
  readonly host?: string;
  readonly signal?: AbortSignal;
  readonly placesOf?: () => Promise<ImagePlaces | null>;
}

/** Image processes whose program has the faults that its images name. */
function aWorker(t: ExecutionContext, options: Partial<ImageProcessesOptions> = {}) {
  const processes = createImageProcesses({ allowPrivateNetworks: false, authoritiesFile: '', program, ...options });
  t.teardown(() => processes.close());
  /** How often each image was downloaded. */
  const fetches: Record<string, number> = {};
  /** The id of the process that stored the image. */
  const host = async (
    name: string,
    { account = 'a', host = 'shop.example', signal = never, placesOf }: Options = {},
  ) => {
    const { bytes } = await processes.host(`https://${host}/${name}`, {
      account,
      signal,
      placesOf: async () => {
        fetches[name] = (fetches[name] ?? 0) + 1;
        return placesOf === undefined ? { large: place, thumb: place } : placesOf();
      },
    });
    return bytes ?? 0;
  };
  return { host, fetches, close: () => processes.close() };
}

const failureOf = async (hosting: Promise<unknown>): Promise<string> =>
  hosting.then(
    () => 'hosted',
    (error: unknown) => (error instanceof UnusableImage ? error.message : `another error: ${String(error)}`),
  );
const undecodable = 'the image cannot be decoded: save it again in another program';

/** Names of so many images of a kind. */
const many = (kind: string, count: number): string[] => Array.from({ length: count }, (_, n) => `${kind}-${n}`);
/** Places by which the decoder tells that it has begun with the image. */
function tellingBegin() {
  const path = join(temporaryFolder('decoder'), 'begun');
  return {
    placesOf: async () => ({ large: { ...place, path }, thumb: place }),
    begun: () => until('the image is in the decoder', async () => existsSync(path)),
  };
}
const ended = (pid: number): Promise<unknown> => until('the process has ended', async () => !isRunning(pid));

test('an image that is stored already is not decoded, and one that has no room neither', async (t) => {
  const { host } = aWorker(t);
  t.is(await host('dies', { placesOf: async () => null }), 0);
  const full = new UnusableImage({ kind: 'quota_exceeded' });
  t.is(await t.throwsAsync(host('dies', { placesOf: () => Promise.reject(full) })), full);
});

test('an image that ends its process three times is unusable; the others of the process are hosted, and count nothing', async (t) => {
  const { host, fetches } = aWorker(t);
  const neighbours = many('fine', 6);
  const [bad, ...rest] = await Promise.all(['dies', ...neighbours].map((name) => failureOf(host(name))));
  t.is(bad, undecodable);
  t.deepEqual(rest, Array(6).fill('hosted'));
  t.is(fetches['dies'], 3);
  t.true(neighbours.every((name) => (fetches[name] ?? 0) <= 2));
});

test('an image that holds the decoder for too long is unusable, and the others of its process are hosted', async (t) => {
  const { host, fetches } = aWorker(t, { timeoutMs: 5_000 });
  await host('fine');
  const ends = await Promise.all(['spins', ...many('fine', 4)].map((name) => failureOf(host(name))));
  t.deepEqual(ends, [`${undecodable} (after 5 s)`, ...Array<string>(4).fill('hosted')]);
  t.is(fetches['spins'], 1);
});

test('an image that takes too much processor time is unusable at once, and its process is ended', async (t) => {
  const { host, fetches } = aWorker(t);
  const pid = await host('fine');
  t.is(await failureOf(host('crawls')), `${undecodable} (after 10 s)`);
  t.is(fetches['crawls'], 1);
  await ended(pid);
});

test('an image that ends its process before it is decoded is found out alone, and no other is to blame', async (t) => {
  const { host } = aWorker(t);
  const ends = await Promise.all(['dies-early', ...many('fine', 4)].map((name) => failureOf(host(name))));
  t.deepEqual(ends, [undecodable, ...Array<string>(4).fill('hosted')]);
});

test('a process that answers what no image process would is ended, for which its image is to blame', async (t) => {
  const { host, fetches } = aWorker(t);
  t.is(await failureOf(host('lies')), undecodable);
  t.is(fetches['lies'], 3);
  t.is(await failureOf(host('fine')), 'hosted');
});

test('where no process can start, or the store takes no file, no image is to blame', async (t) => {
  const broken = aWorker(t, { program: join(import.meta.dirname, 'no-such-program.mjs') });
  await t.throwsAsync(broken.host('fine'), { message: 'no image process could start' });
  await t.throwsAsync(aWorker(t).host('full'), { message: 'the image store failed: ENOSPC' });
});

test('an image that is stopped in the decoder ends its process; one that is stopped before does not', async (t) => {
  const { host } = aWorker(t);
  const pid = await host('fine');
  const stopping = new AbortController();
  const downloading = host('hangs', { signal: stopping.signal });
  stopping.abort(new Error('stopped'));
  await t.throwsAsync(downloading, { message: 'stopped' });
  t.is(await host('fine'), pid);
  const decoding = new AbortController();
  const { placesOf, begun } = tellingBegin();
  const spinning = host('spins', { signal: decoding.signal, placesOf });
  await begun();
  decoding.abort(new Error('stopped, too'));
  await t.throwsAsync(spinning, { message: 'stopped, too' });
  await ended(pid);
});

test('a process is used again and again, one that died meanwhile harms no image, and an unused one ends', async (t) => {
  const { host } = aWorker(t, { idleMs: 200 });
  const pids = new Set<number>();
  // Longer than it may be unused, by far.
  for (const begun = performance.now(); performance.now() - begun < 600;) pids.add(await host('fine'));
  t.is(pids.size, 1);
  const [pid = 0] = pids;
  process.kill(pid, 'SIGKILL');
  const next = await host('fine');
  t.not(next, pid);
  await ended(next);
});

test('an account never has images in all processes, so another one finds a decoder at once', async (t) => {
  const { host } = aWorker(t);
  const stopping = new AbortController();
  const { signal } = stopping;
  const spinning = many('spins', availableParallelism() + 4).map((name) => host(name, { account: 'heavy', signal }));
  t.is(await failureOf(host('fine', { account: 'other' })), 'hosted');
  stopping.abort(new Error('enough'));
  for (const one of spinning) await t.throwsAsync(one, { message: 'enough' });
});

test('an image waits until the memory that it takes is free, and one of another account passes it', async (t) => {
  const { host } = aWorker(t, { timeoutMs: 5_000 });
  const order: string[] = [];
  const note = (name: string, account: string): Promise<unknown> =>
    failureOf(host(name, { account })).then((end) => order.push(`${account}: ${end === 'hosted' ? name : 'killed'}`));
  await host('fine');
  const spinning = note('spins', 'a');
  await Promise.all([spinning, note('340-MB', 'a'), note('100-MB', 'b')]);
  t.deepEqual(order, ['b: 100-MB', 'a: killed', 'a: 340-MB']);
});

test('the time that the decoder works for an account is counted, also for an image that is stopped there', async (t) => {
  const memory = new DecoderMemory();
  const { host } = aWorker(t, { memory });
  await host('fine', { account: 'light' });
  const stopping = new AbortController();
  const { placesOf, begun } = tellingBegin();
  const spinning = failureOf(host('spins', { account: 'heavy', signal: stopping.signal, placesOf }));
  await begun();
  stopping.abort(new Error('stopped'));
  await spinning;
  t.true(memory.usedMs('light') > 0);
  t.true(memory.usedMs('heavy') > 0);
  t.is(memory.usedMs('other'), 0);
});

test('images that are under way when the worker stops are not to blame', async (t) => {
  const { host, close } = aWorker(t);
  const { placesOf, begun } = tellingBegin();
  const hosting = ['spins', 'hangs'].map((name) => host(name, { placesOf }));
  const ends = hosting.map((one) => t.throwsAsync(one, { message: 'the image processes are closed' }));
  await begun();
  await close();
  await Promise.all(ends);
});

test('many hanging images of one account hold up neither another account nor, where hosts differ, many accounts', async (t) => {
  const { host } = aWorker(t);
  const stopping = new AbortController();
  t.teardown(() => stopping.abort(new Error('the test is over')));
  const hang = (account: string): void => {
    for (const name of many('hangs', 40))
      host(name, { account, host: 'hangs.example', signal: stopping.signal }).catch(() => undefined);
  };
  hang('hanging');
  t.is(await failureOf(host('fine', { account: 'other', host: 'hangs.example' })), 'hosted');
  for (let n = 0; n < 20; n += 1) hang(`member-${n}`);
  t.deepEqual(
    await Promise.all(many('fine', 10).map((name) => failureOf(host(name, { account: 'other' })))),
    Array(10).fill('hosted'),
  );
});

test('what a server lacks is told as such, and not tried again where that would not help', async (t) => {
  t.is(await failureOf(aWorker(t).host('lacks')), 'there is no image at this address (HTTP 404)');
});
