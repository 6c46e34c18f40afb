import test from 'ava';
import { Batcher, type BatcherOptions, NotAnswered, NotBegun } from '../../platform/concurrency/batcher.ts';
import { aGate } from '../support/a-gate.ts';

/** Commits that are held until the test lets them through. */
function held(options: Omit<BatcherOptions<number, string>, 'commit'>) {
  const begun: { items: readonly number[]; gate: ReturnType<typeof aGate> }[] = [];
  const group = new Batcher<number, string>({
    ...options,
    commit: async (items) => {
      const gate = aGate();
      begun.push({ items, gate });
      await gate.opened;
      return items.map((item) => `done ${item}`);
    },
  });
  const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const letThrough = async (): Promise<void> => {
    for (const { gate } of begun) gate.open();
    await nextTurn();
  };
  return { group, begun, nextTurn, letThrough };
}

test('who comes alone waits for nobody; who comes meanwhile goes together, and each gets its own answer', async (t) => {
  const { group, begun, nextTurn, letThrough } = held({ sizeMax: 10 });
  const first = group.add(1);
  await nextTurn();
  const others = [2, 3, 4].map((item) => group.add(item));
  await nextTurn();
  t.deepEqual(
    begun.map(({ items }) => items),
    [[1]],
  );
  await letThrough();
  await letThrough();
  t.deepEqual(await Promise.all([first, ...others]), ['done 1', 'done 2', 'done 3', 'done 4']);
  t.deepEqual(
    begun.map(({ items }) => items),
    [[1], [2, 3, 4]],
  );
  t.true(group.isIdle);
});

test('no commit takes more than it may, but one item that is larger goes alone', async (t) => {
  const { group, begun, letThrough } = held({ sizeMax: 5, sizeOf: (item) => item });
  const all = [2, 3, 1, 9, 4].map((item) => group.add(item));
  for (let turn = 0; turn < 6; turn += 1) await letThrough();
  await Promise.all(all);
  t.deepEqual(
    begun.map(({ items }) => items),
    [[2, 3], [1], [9], [4]],
  );
});

test('as many commits are under way at once as are allowed, and no more', async (t) => {
  const { group, begun, nextTurn, letThrough } = held({ sizeMax: 1, atOnce: 2 });
  const all = [1, 2, 3].map((item) => group.add(item));
  await nextTurn();
  t.is(begun.length, 2);
  await letThrough();
  await letThrough();
  await Promise.all(all);
  t.is(begun.length, 3);
});

const failures = {
  rejects: () => Promise.reject(new Error('the database is away')),
  'throws at once': () => {
    throw new Error('the database is away');
  },
};

for (const [how, fail] of Object.entries(failures))
  test(`a commit that ${how} fails what it held, and the next one goes on`, async (t) => {
    let isFirst = true;
    const group = new Batcher<number, number>({
      sizeMax: 10,
      commit: (items) => {
        if (!isFirst) return Promise.resolve(items);
        isFirst = false;
        return fail();
      },
    });
    await t.throwsAsync(group.add(1), { message: 'the database is away' });
    t.is(await group.add(2), 2);
  });

test('an answer that is missing is a failure of its item, never a silence', async (t) => {
  const group = new Batcher<number, number>({ sizeMax: 10, commit: () => Promise.resolve([1]) });
  const both = [group.add(1), group.add(2)];
  t.is(await both[0], 1);
  await t.throwsAsync(both[1] ?? Promise.resolve(), { message: 'a commit answered too little' });
});

test('one that begins after the turn of the loop takes along what other callbacks of the turn bring', async (t) => {
  const groups: (readonly number[])[] = [];
  const group = new Batcher<number, number>({
    sizeMax: 10,
    begin: 'after this turn',
    commit: (items) => {
      groups.push(items);
      return Promise.resolve(items);
    },
  });
  const inTheirOwnCallbacks = [1, 2, 3].map((item) => Promise.resolve().then(() => group.add(item)));
  t.deepEqual(await Promise.all(inTheirOwnCallbacks), [1, 2, 3]);
  t.is(await group.add(4), 4);
  t.deepEqual(groups, [[1, 2, 3], [4]]);
});

test('who comes back when its commit is answered goes with those who waited meanwhile', async (t) => {
  const groups: (readonly number[])[] = [];
  const gate = aGate();
  const group = new Batcher<number, number>({
    sizeMax: 10,
    begin: 'after this turn',
    commit: async (items) => {
      groups.push(items);
      await gate.opened;
      return items;
    },
  });
  const comesBack = group.add(1).then(() => group.add(3));
  await new Promise((resolve) => setImmediate(resolve));
  const waits = group.add(2);
  gate.open();
  t.deepEqual(await Promise.all([comesBack, waits]), [3, 2]);
  t.deepEqual(groups, [[1], [2, 3]]);
});

test('items of one key are never in two commits at once, and hold up no others', async (t) => {
  const { group, begun, nextTurn, letThrough } = held({ sizeMax: 10, atOnce: 2, keyOf: (item) => String(item % 10) });
  const all = [group.add(1)];
  await nextTurn();
  all.push(...[11, 21, 2].map((item) => group.add(item)));
  await nextTurn();
  t.deepEqual(
    begun.map(({ items }) => items),
    [[1], [2]],
  );
  await letThrough();
  await letThrough();
  t.deepEqual(await Promise.all(all), ['done 1', 'done 11', 'done 21', 'done 2']);
  t.deepEqual(begun.at(-1)?.items, [11, 21]);
});

/** `waitMaxMs` is longer than a busy machine keeps a free place unused. */
const impatient = { countedMs: 10, underWayMax: 2, waitMaxMs: 1_000, commitMaxMs: 60_000 };

test('commits that hang hold no place for long; who has waited in vain is told that nothing was begun', async (t) => {
  const gates = [aGate(), aGate()];
  const begun: number[] = [];
  const group = new Batcher<number, number>({
    sizeMax: 1,
    patience: impatient,
    commit: async (items) => {
      const gate = gates[begun.length];
      begun.push(...items);
      await gate?.opened;
      return items;
    },
  });
  const hanging = [group.add(1), group.add(2)];
  await t.throwsAsync(group.add(3), { instanceOf: NotBegun });
  t.deepEqual(begun, [1, 2]);
  for (const gate of gates) gate.open();
  t.deepEqual(await Promise.all(hanging), [1, 2]);
  t.is(await group.add(4), 4);
  t.true(group.isIdle);
});

test('who is in a commit that never ends is told that nobody knows, and its place is free again', async (t) => {
  const never = new Promise<never>(() => undefined);
  const group = new Batcher<number, number>({
    sizeMax: 10,
    patience: { ...impatient, underWayMax: 1, waitMaxMs: 60_000, commitMaxMs: 50 },
    commit: (items) => (items.includes(1) ? never : Promise.resolve(items)),
  });
  const lost = group.add(1);
  await Promise.resolve();
  const later = group.add(2);
  await t.throwsAsync(lost, { instanceOf: NotAnswered });
  t.is(await later, 2);
  t.true(group.isIdle);
});
