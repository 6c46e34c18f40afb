import { join } from 'node:path';
import { createClock, type Clock } from '../kit/clock.ts';
import { isObject } from '../kit/fields.ts';
import { openJournal } from '../kit/journal.ts';
import { CallBudget, type BudgetChange } from './call-budget.ts';
import { createImageShelf, type ImageShelf } from './image-shelf.ts';
import { ListingBook, type BookChange } from './listing-book.ts';
import { settle } from './settle.ts';
import { UserBook, type UserChange } from './user-book.ts';

/** The whole state of the marketplace simulator, kept in a journal when it has a data folder. */
export interface World {
  readonly listings: ListingBook;
  readonly users: UserBook;
  readonly budget: CallBudget;
  readonly images: ImageShelf;
  readonly clock: Clock;
  readonly processingDelayMs: number;
  /** Settles everything that is due and returns the present time. Call it before every read. */
  present(): number;
  close(): void;
}

type Change = BookChange | UserChange | BudgetChange | { readonly type: 'clock'; readonly value: number };

/** Opens the world, with the state of an earlier run when it has a data folder. */
export function openWorld(options: { dataDir?: string | undefined; processingDelayMs: number }): World {
  const { dataDir, processingDelayMs } = options;
  // Replaced once the journal is open, because restoring must not be journaled again.
  let append: (change: Change) => void = () => undefined;
  const listings = new ListingBook((change) => append(change));
  const users = new UserBook((change) => append(change));
  const budget = new CallBudget((change) => append(change));
  let advancedMs = 0;

  const journal = openJournal({
    file: dataDir === undefined ? undefined : join(dataDir, 'marketplace.journal'),
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

  const clock = createClock(advancedMs);
  const present = (): number => {
    const now = clock.now();
    settle(listings, now, processingDelayMs);
    return now;
  };
  clock.onAdvance(() => {
    append({ type: 'clock', value: clock.advancedMs() });
    present();
  });
  const images = createImageShelf(dataDir === undefined ? undefined : join(dataDir, 'images'));
  return { listings, users, budget, images, clock, processingDelayMs, present, close: () => journal.close() };
}

/** The journal is the simulator's own file: the type's name is check enough. */
function isChange(entry: unknown): entry is Change {
  return isObject(entry) && typeof entry.type === 'string' && 'value' in entry;
}
