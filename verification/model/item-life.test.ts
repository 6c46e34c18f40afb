import test from 'ava';
import fc from 'fast-check';
import { eventId } from '../../features/rules/ids.ts';
import type { Item } from '../../features/items/rules/item.ts';
import { changeNewestListing } from '../../features/listings/rules/publication.ts';
import { aLife, obey, type Command } from './support/commands.ts';
import type { Sabotage } from './support/fake-items.ts';
import { ItemWorld } from './support/item-world.ts';

// The use cases with a store and a marketplace in memory, against a reference model written from the specification alone:
// pushes, price and status changes, deletes, publications, bids, sales on the marketplace and beside it, changes of orders, lost
// answers, crashes and late commits in any order.
// MODEL_RUNS says how many sequences are tried, MODEL_SEED repeats a run.
const runs = Number(process.env['MODEL_RUNS'] ?? '500');
const seed = Number(process.env['MODEL_SEED'] ?? String(Date.now() % 2 ** 31));

async function live(commands: readonly Command[], sabotage?: Sabotage): Promise<void> {
  const world = new ItemWorld(sabotage);
  for (const command of commands) await obey(world, command);
  await world.rest();
}

test('whatever happens in whatever order, partners see what the specification says', async (t) => {
  t.timeout(runs * 100 + 60_000);
  t.log(`MODEL_SEED=${seed} MODEL_RUNS=${runs}`);
  await fc.assert(
    fc.asyncProperty(aLife, (life) => live(life)),
    { numRuns: runs, seed, includeErrorInReport: true },
  );
  t.pass();
});

// --- the model notices what it is there for

const newest = (item: Item) => item.listings.at(-1);

const mistakes: Readonly<Record<string, Sabotage>> = {
  'a price that was refused because of bids is not taken back': {
    write: (previous, next) =>
      next.refusedPriceOre !== null && next.refusedPriceOre !== previous.refusedPriceOre
        ? { ...next, content: { ...next.content, priceOre: previous.content.priceOre } }
        : next,
  },
  'an auction that nobody wants is not taken down': {
    write: (previous, next) =>
      newest(previous)?.state === 'live' && newest(next)?.state === 'leaving'
        ? changeNewestListing(next, { state: 'removed' })
        : next,
  },
  'a commit that may be on its way is forgotten': {
    write: (_previous, next) =>
      newest(next)?.state === 'prepared' ? changeNewestListing(next, { mayBeCommitted: false }) : next,
  },
  'a new item does not wait for the auction of the deleted one': { forgetsPredecessors: true },
  'an order that is over still holds its item': {
    write: (previous, next) =>
      next.openOrderIds.length < previous.openOrderIds.length ? { ...next, openOrderIds: previous.openOrderIds } : next,
  },
  'a sale is told a second time': {
    write: (_previous, next) => {
      const sold = next.outbox.findLast(({ type }) => type === 'item.sold');
      const isAgain = next.pendingOrders.length === 0 || sold === undefined || next.openOrderIds.length < 2;
      if (isAgain) return next;
      const sequence = next.sequence + 1;
      const again = { ...sold, sequence, eventId: eventId(`${sold.eventId}_${sequence}`) };
      return { ...next, sequence, outbox: [...next.outbox, again] };
    },
  },
  'bids that were told of forbid no direct sale': {
    write: (_previous, next) => changeNewestListing(next, { hasBids: false }),
  },
  'work that is owed has no date': {
    write: (_previous, next) => (next.revision === next.settledRevision ? next : { ...next, startAt: null }),
  },
  'work is forgotten when a write comes in between': {
    write: (previous, next) =>
      previous.revision !== previous.settledRevision && next.revision > previous.revision
        ? { ...next, settledRevision: next.revision }
        : next,
  },
};

for (const [mistake, sabotage] of Object.entries(mistakes)) {
  test(`a mistake is found: ${mistake}`, async (t) => {
    const found = await fc.check(
      fc.asyncProperty(aLife, (life) => live(life, sabotage)),
      { numRuns: 3_000, seed: 1, endOnFailure: true },
    );
    t.true(found.failed);
    t.log(`found in sequence ${found.numRuns}: ${String(found.errorInstance)}`);
  });
}
