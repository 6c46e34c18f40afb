import test from 'ava';
import { Refusal } from '../../features/rules/errors.ts';
import type { Item } from '../../features/items/rules/item.ts';
import type { Scope } from '../../features/rules/scope.ts';
import { createKeyedMutex } from '../../platform/concurrency/keyed-mutex.ts';
import { itemTag, writeItem, type ItemWrite, type WriteDependencies } from '../../features/items/write-item.ts';
import { anAccountId, anItem, noon } from '../support/an-item.ts';

const scope: Scope = { accountId: anAccountId, actingAccountId: anAccountId, credential: { kind: 'system' } };

/** A store of one item whose first `overtaken` writes find a newer version, and whose first `stale` reads were old. */
function stage({ overtaken = 0, isRevoked = false, stale = 0 } = {}) {
  const seen: string[] = [];
  let waitedMs = 0;
  let stored = anItem();
  let left = overtaken;
  let staleLeft = stale;
  const dependencies = {
    items: {
      replace: async (previous: Item, next: Item) => {
        if (left > 0) {
          left -= 1;
          stored = { ...stored, version: stored.version + 1, revision: stored.revision + 1 };
          return null;
        }
        seen.push('written');
        stored = { ...next, version: previous.version + 1 };
        return stored;
      },
      isStill: async () => {
        seen.push('proven');
        staleLeft -= 1;
        return staleLeft < 0;
      },
    },
    confirmCredential: async () => {
      if (isRevoked) throw new Refusal('UNAUTHORIZED', 'revoked');
      seen.push('confirmed');
    },
    runExclusive: createKeyedMutex(),
    now: () => noon,
    pause: async (ms: number) => {
      waitedMs += ms;
    },
  } as unknown as WriteDependencies;
  const write = (change: Partial<ItemWrite> = {}) =>
    writeItem(dependencies, scope, {
      externalId: 'A1',
      find: () => Promise.resolve(stored),
      decide: (found) => {
        if (found === null) throw new Error('there is an item');
        return { item: { ...found, revision: found.revision + 1 }, warnings: [] };
      },
      ...change,
    });
  return { seen, write, tag: () => itemTag(stored), waitedMs: () => waitedMs };
}

test('the credential is confirmed right before the write', async (t) => {
  const { seen, write } = stage();
  t.is((await write()).outcome, 'updated');
  t.deepEqual(seen, ['confirmed', 'written']);
});

// specification: equal-content-changes-nothing
test('a change that leaves the item as it is writes nothing and rings for nothing', async (t) => {
  const { seen, write } = stage();
  const item = anItem();
  const written = await write({
    find: () => Promise.resolve(item),
    decide: () => ({ item, warnings: [] }),
  });
  t.is(written.outcome, 'unchanged');
  t.deepEqual(seen, ['confirmed', 'proven']);
  const decide = () => ({ item, warnings: [] });
  await t.throwsAsync(stage({ isRevoked: true }).write({ find: () => Promise.resolve(item), decide }), {
    message: 'revoked',
  });
});

test('what is as it should be only by an old read is decided again on what there is', async (t) => {
  const { seen, write } = stage({ stale: 1 });
  const reads = [anItem({ version: 1 }), anItem({ version: 2 })];
  let decided = 0;
  const written = await write({
    find: () => Promise.resolve(reads[decided] ?? null),
    decide: (found) => {
      decided += 1;
      if (found === null) throw new Error('there is an item');
      return { item: decided === 1 ? found : { ...found, revision: found.revision + 1 }, warnings: [] };
    },
  });
  t.is(written.outcome, 'updated');
  t.deepEqual(seen, ['confirmed', 'proven', 'confirmed', 'written']);
});

test('validateOnly writes nothing and rings for nothing, and still asks whether the key is good', async (t) => {
  const { seen, write } = stage();
  t.is((await write({ validateOnly: true })).outcome, 'updated');
  t.deepEqual(seen, ['confirmed']);
  await t.throwsAsync(stage({ isRevoked: true }).write({ validateOnly: true }), { name: 'Refusal' });
});

test('a revoked key writes nothing', async (t) => {
  const { seen, write } = stage({ isRevoked: true });
  await t.throwsAsync(write(), { name: 'Refusal', message: 'revoked' });
  t.deepEqual(seen, []);
});

test('who loses the race decides again on the version that won, and its precondition is asked of that one', async (t) => {
  const { seen, write, tag } = stage({ overtaken: 2 });
  const before = tag();
  t.is((await write()).item.revision, 4);
  t.deepEqual(seen.filter((step) => step === 'written').length, 1);
  const lost = stage({ overtaken: 1 });
  await t.throwsAsync(lost.write({ precondition: { ifMatch: [before] } }), { name: 'Refusal', message: /moved on/ });
  t.false(lost.seen.includes('written'));
});

// specification: conflict-409
test('who is overtaken for ever is told to come back', async (t) => {
  const { write, waitedMs } = stage({ overtaken: 1_000 });
  const refusal = await t.throwsAsync<Refusal>(write());
  t.is(refusal.code, 'CONFLICT');
  t.is(refusal.retryAfterSeconds, 1);
  t.true(waitedMs() >= 3_000 && waitedMs() <= 4_000, `${waitedMs()} ms`);
});
