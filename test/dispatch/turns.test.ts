import { setImmediate as nextTick } from 'node:timers/promises';
import test from 'ava';
import { Turns, type TurnsOptions } from '../../dispatch/turns.ts';
import { until } from '../support/until.ts';

interface Turn {
  readonly keys: readonly string[];
  /** Ends its work; `more` are the keys that have more of it. */
  readonly end: (more?: readonly string[]) => Promise<void>;
  readonly fail: () => Promise<void>;
}

/** Turns whose work ends when the test says so. */
function aStage(options: Partial<TurnsOptions> = {}) {
  const begun: Turn[] = [];
  const failed: string[] = [];
  const turns = new Turns({
    ...{ atOnce: 1, together: 1, patienceMs: 60_000 },
    onFailure: (keys) => failed.push(...keys),
    work: (keys) =>
      new Promise((resolve, reject) => {
        const settled = (settle: () => void) => (): Promise<void> => {
          settle();
          return nextTick();
        };
        const end = async (more: readonly string[] = []) => settled(() => resolve(more))();
        begun.push({ keys, end, fail: settled(() => reject(new Error('no'))) });
      }),
    ...options,
  });
  return {
    turns,
    failed,
    begun,
    add: (...keys: readonly string[]) => {
      for (const key of keys) turns.add(key);
    },
    keys: () => begun.map(({ keys }) => keys.join(' ')),
    /** Ends the newest turn. */
    end: async (more: readonly string[] = []) => begun.at(-1)?.end(more),
  };
}

test('next is the key that was served longest ago, in whatever order they come; before it those that never were', async (t) => {
  const { add, end, keys } = aStage();
  add('a', 'b', 'c');
  await end();
  await end();
  add('a', 'new', 'b');
  await end();
  for (const _ of ['new', 'a', 'b']) await end();
  t.deepEqual(keys(), ['a', 'b', 'c', 'new', 'a', 'b']);
});

test('a key that always has more waits behind each other key that has some', async (t) => {
  const { add, end, keys } = aStage();
  add('busy');
  add('quiet');
  await end(['busy']);
  add('other');
  await end();
  await end();
  await end(['busy']);
  t.deepEqual(keys(), ['busy', 'quiet', 'other', 'busy', 'busy']);
});

// specification: fair-across-members-single
test('however many busy keys there are, a quiet one has the first turn that ends', async (t) => {
  const { add, begun } = aStage({ atOnce: 2, together: 10 });
  const busy = Array.from({ length: 8 }, (_, n) => `busy${n}`);
  add(...busy);
  for (const key of busy) {
    const own = begun.findLast(({ keys }) => keys.includes(key));
    await own?.end(own.keys);
  }
  add('quiet');
  const underWay = begun.slice(-2);
  t.true(underWay.every(({ keys }) => keys.length === 1 && keys[0]?.startsWith('busy')));
  await underWay[0]?.end(underWay[0].keys);
  t.deepEqual(begun.at(-1)?.keys, ['quiet']);
});

test('a key is in one turn at a time; what comes for it meanwhile gives it one more', async (t) => {
  const { turns, add, end, keys } = aStage({ atOnce: 4 });
  add('a');
  add('a', 'a');
  t.deepEqual(keys(), ['a']);
  await end();
  t.deepEqual(keys(), ['a', 'a']);
  await end();
  t.true(turns.isIdle);
  t.deepEqual(keys(), ['a', 'a']);
});

test('quiet keys share a turn, one that had more has its own until it has no more', async (t) => {
  const { add, begun, end, keys } = aStage({ together: 3 });
  add('busy');
  await end(['busy']);
  add('a', 'b', 'c', 'd');
  await end(['busy']);
  t.deepEqual(begun.at(-1)?.keys, ['a', 'b', 'c']);
  await end();
  await end();
  t.deepEqual(keys(), ['busy', 'busy', 'a b c', 'd', 'busy']);
  await end();
  add('x');
  add('busy', 'a');
  await end();
  t.deepEqual(begun.at(-1)?.keys, ['a', 'busy']);
});

test('with rests, what comes during a turn and right after it shares the next one', async (t) => {
  const { add, begun, end, keys } = aStage({ atOnce: 2, together: 10, restsPerTurn: 2 });
  add('a');
  add('b');
  add('c', 'a');
  t.deepEqual(keys(), ['a']);
  await end();
  add('d');
  await until('the rest is over', async () => begun.length === 2);
  t.deepEqual(begun[1]?.keys.toSorted(), ['a', 'b', 'c', 'd']);
});

test('with rests, a key that has more goes on at once, and one that hangs holds another for a moment only', async (t) => {
  const { add, begun, end, keys } = aStage({ atOnce: 2, together: 10, restsPerTurn: 2 });
  add('busy');
  await end(['busy']);
  t.deepEqual(keys(), ['busy', 'busy']);
  await end(['busy']);
  t.deepEqual(keys(), ['busy', 'busy', 'busy']);
  await end();
  await until('the next one has its turn', async () => {
    add('hangs');
    return begun.length === 4;
  });
  add('quiet');
  await until('the quiet one has its turn', async () => begun.length === 5);
  t.deepEqual(keys().slice(3), ['hangs', 'quiet']);
});

test('no more turns than allowed are under way', async (t) => {
  const { add, begun, end } = aStage({ atOnce: 2 });
  add('a', 'b', 'c');
  t.is(begun.length, 2);
  await end();
  t.is(begun.length, 3);
});

test('turns that hang keep no other from its own, and are bounded themselves', async (t) => {
  const { add, begun } = aStage({ patienceMs: 1 });
  add(...Array.from({ length: 20 }, (_, n) => `hangs${n}`));
  await until('as many hang as may be under way', async () => begun.length === 16);
  await begun[0]?.end();
  await until('the next one has its turn', async () => begun.length === 17);
  t.is(begun.length, 17);
});

test('keys of a shared turn that hangs have their next ones alone, and one that hangs alone has no second', async (t) => {
  const { add, begun, end, keys } = aStage({ together: 3, patienceMs: 1 });
  add('first');
  add('hangs', 'quiet');
  await end();
  add('hangs', 'quiet');
  await until('each has its own', async () => begun.length === 4);
  t.deepEqual(keys(), ['first', 'hangs quiet', 'hangs', 'quiet']);
  await begun[3]?.end();
  add('hangs', 'quiet');
  await until('the quiet one has another', async () => begun.length === 5);
  t.deepEqual(begun[4]?.keys, ['quiet']);
  await begun[1]?.end(['quiet']);
  await begun[4]?.end();
  await until('what the first turn left is gone on with', async () => begun.length === 6);
  t.deepEqual(begun[5]?.keys, ['quiet']);
});

test('a failed turn is told, and its keys are tried again after a moment; others go on at once', async (t) => {
  const { add, begun, failed, end, keys } = aStage({ together: 2 });
  add('a');
  add('b', 'c');
  await end();
  const began = performance.now();
  await begun.at(-1)?.fail();
  t.deepEqual(failed, ['b', 'c']);
  add('other');
  await end();
  await until('they are tried again', async () => begun.length === 4);
  t.true(performance.now() - began >= 900);
  await end();
  t.deepEqual(keys(), ['a', 'b c', 'other', 'b', 'c'].slice(0, begun.length));
});

test('closing begins no further turn, and waits for those under way', async (t) => {
  const { turns, add, begun, end } = aStage();
  add('a');
  add('b');
  let isClosed = false;
  const closed = turns.close().then(() => {
    isClosed = true;
  });
  await nextTick();
  t.false(isClosed);
  add('c');
  await end(['a']);
  await closed;
  t.is(begun.length, 1);
});
