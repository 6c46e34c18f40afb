import test from 'ava';
import fc from 'fast-check';
import { FairSlots, type PlaceRequest, type Release } from '../../platform/concurrency/fair-slots.ts';
import { checkProperty } from '../support/check-property.ts';

/** The places in the order in which they were given. */
function follow(slots: FairSlots) {
  const given: { readonly name: string; readonly release: Release }[] = [];
  return {
    names: () => given.map(({ name }) => name),
    ask: (name: string, request: PlaceRequest, signal?: AbortSignal) => {
      slots
        .acquire(request, signal)
        .then((release) => given.push({ name, release }))
        .catch((error: unknown) => given.push({ name: String(error), release: () => undefined }));
    },
    end: (name: string) => given.find((one) => one.name === name)?.release(),
  };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('an account never has more than its slots, and another one finds one at once', async (t) => {
  const { ask, names, end } = follow(new FairSlots({ max: 10, perAccountMax: 2 }));
  for (const name of ['a1', 'a2', 'a3', 'a4']) ask(name, { account: 'a' });
  ask('b1', { account: 'b' });
  await turn();
  t.deepEqual(names(), ['a1', 'a2', 'b1']);
  end('a1');
  await turn();
  t.deepEqual(names(), ['a1', 'a2', 'b1', 'a3']);
});

test('where use is counted, the account that used the least comes first, whoever asked before it', async (t) => {
  const used: Record<string, number> = { a: 5, b: 7, c: 0 };
  const usedBy = (account: string): number => used[account] ?? 0;
  const { ask, names, end } = follow(new FairSlots({ max: 1, perAccountMax: 1, usedBy }));
  for (const account of ['b', 'a', 'b', 'c', 'a']) ask(account, { account });
  await turn();
  end('b');
  await turn();
  t.deepEqual(names(), ['b', 'c']);
  used['a'] = 8;
  end('c');
  await turn();
  t.deepEqual(names(), ['b', 'c', 'b']);
});

test('a host never has more than its slots, whoever asks, and other images of the account pass', async (t) => {
  const { ask, names } = follow(new FairSlots({ max: 10, perAccountMax: 3, perHostMax: 2 }));
  ask('a1', { account: 'a', host: 'slow' });
  ask('b1', { account: 'b', host: 'slow' });
  ask('a2', { account: 'a', host: 'slow' });
  ask('a3', { account: 'a', host: 'quick' });
  ask('c1', { account: 'c', host: 'slow' });
  await turn();
  t.deepEqual(names(), ['a1', 'b1', 'a3']);
});

test('while all slots are in use the accounts take turns', async (t) => {
  const { ask, names, end } = follow(new FairSlots({ max: 1, perAccountMax: 1 }));
  for (const name of ['a1', 'a2', 'a3']) ask(name, { account: 'a' });
  for (const name of ['b1', 'b2']) ask(name, { account: 'b' });
  // The first finds no other waiting, so that it is no turn.
  for (const name of ['a1', 'a2', 'b1', 'a3', 'b2']) {
    await turn();
    t.is(names().at(-1), name);
    end(name);
  }
});

test('small ones never delay a large one forever, and an account that has none gets one however large', async (t) => {
  const { ask, names, end } = follow(new FairSlots({ max: 10, perAccountMax: 6 }));
  ask('small 1', { account: 'a', size: 4 });
  ask('large', { account: 'b', size: 50 });
  ask('small 2', { account: 'c', size: 1 });
  await turn();
  t.deepEqual(names(), ['small 1']);
  end('small 1');
  await turn();
  t.deepEqual(names(), ['small 1', 'large']);
  end('large');
  await turn();
  t.deepEqual(names(), ['small 1', 'large', 'small 2']);
});

test('who gives up waiting holds nothing, and lets those behind it pass', async (t) => {
  const { ask, names, end } = follow(new FairSlots({ max: 2, perAccountMax: 2 }));
  const stopping = new AbortController();
  ask('a1', { account: 'a' });
  ask('b1', { account: 'b', size: 2 }, stopping.signal);
  ask('c1', { account: 'c' });
  stopping.abort(new Error('stopped'));
  await turn();
  t.deepEqual(names().toSorted(), ['Error: stopped', 'a1', 'c1']);
  end('a1');
  end('a1');
  end('c1');
  ask('b2', { account: 'b' }, stopping.signal);
  ask('d1', { account: 'd', size: 2 });
  await turn();
  t.deepEqual(names().toSorted(), ['Error: stopped', 'Error: stopped', 'a1', 'c1', 'd1']);
});

test('a slot that is taken at once is refused where the account has its share, and counts like any other', (t) => {
  const slots = new FairSlots({ max: 3, perAccountMax: 2 });
  const first = slots.take({ account: 'a' });
  t.truthy(slots.take({ account: 'a' }));
  t.is(slots.take({ account: 'a' }), null);
  t.truthy(slots.take({ account: 'b' }));
  t.is(slots.take({ account: 'b' }), null);
  first?.();
  t.truthy(slots.take({ account: 'b' }));
});

test('what is taken at once does not overtake what waits, and leaves nothing behind where it is refused', async (t) => {
  const slots = new FairSlots({ max: 4, perAccountMax: 3 });
  const first = slots.take({ account: 'a', size: 3 });
  t.is(slots.take({ account: 'a' }), null);
  t.truthy(slots.take({ account: 'b' }));
  const large = slots.acquire({ account: 'c', size: 2 });
  first?.();
  const leave = await large;
  t.is(slots.take({ account: 'd', size: 2 }), null);
  leave();
  t.truthy(slots.take({ account: 'd', size: 3 }));
});

test('whatever is asked, ended or given up, no bound is passed and everything asked for comes in the end', async (t) => {
  const request = fc.record({
    account: fc.constantFrom('a', 'b', 'c'),
    host: fc.constantFrom('x', 'y'),
    size: fc.integer({ min: 1, max: 4 }),
  });
  await checkProperty(
    t,
    fc.asyncProperty(fc.array(request, { maxLength: 30 }), async (requests) => {
      const slots = new FairSlots({ max: 5, perAccountMax: 3, perHostMax: 4 });
      const held: (Required<PlaceRequest> & { readonly release: Release })[] = [];
      const sum = (of: readonly Required<PlaceRequest>[]): number => of.reduce((all, { size }) => all + size, 0);
      let given = 0;
      const all = Promise.all(
        requests.map(async (one) => {
          held.push({ ...one, release: await slots.acquire(one) });
          given += 1;
        }),
      );
      for (let round = 0; round <= requests.length; round += 1) {
        await turn();
        t.true(sum(held) <= 5);
        for (const account of ['a', 'b', 'c']) {
          const own = held.filter((one) => one.account === account);
          t.true(own.length <= 1 || sum(own) <= 3);
        }
        for (const host of ['x', 'y']) t.true(sum(held.filter((one) => one.host === host)) <= 4);
        held.shift()?.release();
      }
      await all;
      t.is(given, requests.length);
    }),
    { numRuns: 60 },
  );
});
