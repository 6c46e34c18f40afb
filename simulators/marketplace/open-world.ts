import { join } from 'node:path';
import { createClock } from '../kit/clock.ts';
import { isObject } from '../kit/fields.ts';
import { openJournal } from '../kit/journal.ts';
import { CallBudget, type BudgetChange, type CallLimit } from './records/call-budget.ts';
import { createImageShelf } from './records/image-shelf.ts';
import { ListingBook, type BookChange } from './records/listing-book.ts';
import { UserBook, type UserChange } from './records/user-book.ts';
import type { World } from './records/world.ts';
import { settle } from './rules/publishing.ts';
import { SwitchBoard, type SwitchChanges } from './switches.ts';

export interface WorldSettings {
  /** Absent: nothing survives the stop. */
  readonly dataDir?: string | undefined;
  /** Simulated time from a commit to its result. */
  readonly processingDelayMs: number;
  readonly tokenLifeDays: number;
  /** Absent: the limit of the last run; none in the first. */
  readonly callLimit?: CallLimit | undefined;
  readonly switches: SwitchChanges;
}

type Change = BookChange | UserChange | BudgetChange | { readonly type: 'clock'; readonly value: number };

const dayMs = 24 * 3600 * 1000;

/** Opens the world, with the state of an earlier run when it has a data folder. */
export function openWorld(settings: WorldSettings): World {
  const { dataDir, processingDelayMs } = settings;
  // Replaced once the journal is open, because restoring must not be journaled again.
  let append: (change: Change) => void = () => undefined;
  const listings = new ListingBook((change) => append(change));
  const users = new UserBook(settings.tokenLifeDays * dayMs, (change) => append(change));
  const budget = new CallBudget((change) => append(change));
  let advancedMs = 0;

  const journal = openJournal({
    // The journal of the interface before v4 has another form, and stays as it is.
    file: dataDir === undefined ? undefined : join(dataDir, 'marketplace-v4.journal'),
    replay(entry) {
      if (!isChange(entry)) return;
      if (entry.type === 'clock') advancedMs = entry.value;
      else if (entry.type === 'user') users.restore(entry);
      else if (entry.type === 'budget') budget.restore(entry);
      else listings.restore(entry);
    },
    *snapshot() {
      yield* listings.snapshot();
      yield* users.snapshot();
      yield* budget.snapshot();
      yield { type: 'clock', value: advancedMs };
    },
  });
  append = (change) => journal.append(change);
  if (settings.callLimit !== undefined) budget.setLimit(settings.callLimit);

  const clock = createClock(advancedMs);
  const world: World = {
    listings,
    users,
    budget,
    clock,
    processingDelayMs,
    siteUrl: '',
    switches: new SwitchBoard(settings.switches),
    images: createImageShelf(dataDir === undefined ? undefined : join(dataDir, 'images')),
    present() {
      const now = clock.now();
      settle(world, now);
      return now;
    },
    close: () => journal.close(),
  };
  clock.onAdvance(() => {
    append({ type: 'clock', value: clock.advancedMs() });
    world.present();
  });
  return world;
}

/** The journal is the simulator's own file: the type's name is check enough. */
function isChange(entry: unknown): entry is Change {
  return isObject(entry) && typeof entry.type === 'string' && 'value' in entry;
}
