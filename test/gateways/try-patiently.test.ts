import test from 'ava';
import { UnusableImage, type Retry } from '../../gateways/image-process/port.ts';
import { tryPatiently } from '../../gateways/image-process/try-patiently.ts';

interface Play {
  /** ms that each try takes after it has its slot. */
  readonly takesMs?: number;
  /** ms that the first try waits for its slot. */
  readonly waitsMs?: number;
}

/** The pauses between tries that fail in these ways, one after the other, and then succeed; and how it ends. */
async function pausesOf(failures: readonly UnusableImage[], { takesMs = 0, waitsMs = 0 }: Play = {}) {
  const left = [...failures];
  const pauses: number[] = [];
  let at = 0;
  let tries = 0;
  const attempt = async (begins: () => void): Promise<string> => {
    if (tries === 0) at += waitsMs;
    tries += 1;
    begins();
    at += takesMs;
    const failure = left.shift();
    if (failure !== undefined) throw failure;
    return 'hosted';
  };
  const pause = async (ms: number): Promise<void> => {
    pauses.push(ms);
    at += ms;
  };
  const end = await tryPatiently(attempt, { pause, now: () => at }, new AbortController().signal).catch(
    (error: unknown) => (error instanceof UnusableImage ? error.failure.number : error),
  );
  return { pauses, end };
}

const failed = (number: number, retry: Retry) => new UnusableImage({ kind: 'not_found', number }, { retry });
const [notYet, away] = [failed(404, 'later'), failed(503, 'soon')];

test('an image that is not there yet is asked for again after 3 and 10 seconds, and then failed', async (t) => {
  t.deepEqual(await pausesOf([notYet]), { pauses: [3_000], end: 'hosted' });
  t.deepEqual(await pausesOf([notYet, notYet]), { pauses: [3_000, 10_000], end: 'hosted' });
  t.deepEqual(await pausesOf([notYet, notYet, notYet]), { pauses: [3_000, 10_000], end: 404 });
  t.deepEqual(await pausesOf([away, notYet]), { pauses: [500, 10_000], end: 'hosted' });
  t.deepEqual(await pausesOf([notYet, failed(410, 'never')]), { pauses: [3_000], end: 410 });
});

test('a server that is away for some seconds gets four tries', async (t) => {
  t.deepEqual(await pausesOf([away, away, away, away]), { pauses: [500, 2_000, 5_000], end: 503 });
});

test('a server that drips gets two tries, so that its item is told of within a minute', async (t) => {
  t.deepEqual(await pausesOf([away, away, away], { takesMs: 20_000 }), { pauses: [500], end: 503 });
});

test('an image that waits for its slot has all its time left', async (t) => {
  t.deepEqual(await pausesOf([away, away, away, away], { waitsMs: 600_000 }), {
    pauses: [500, 2_000, 5_000],
    end: 503,
  });
});

test('an image that is stopped is not tried again', async (t) => {
  const stopping = new AbortController();
  const pause = (): Promise<void> => Promise.reject(new Error('it paused'));
  const attempt = (): Promise<void> => {
    stopping.abort();
    return Promise.reject(away);
  };
  t.is(await t.throwsAsync(tryPatiently(attempt, { pause, now: () => 0 }, stopping.signal)), away);
});
