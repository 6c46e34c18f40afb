import type { Clock } from '../../kit/clock.ts';
import type { SwitchBoard } from '../switches.ts';
import type { CallBudget } from './call-budget.ts';
import type { ImageShelf } from './image-shelf.ts';
import type { ListingBook } from './listing-book.ts';
import type { UserBook } from './user-book.ts';

/** The whole state of the marketplace simulator, kept in a journal when it has a data folder. */
export interface World {
  readonly listings: ListingBook;
  readonly users: UserBook;
  readonly budget: CallBudget;
  readonly images: ImageShelf;
  readonly clock: Clock;
  readonly switches: SwitchBoard;
  readonly processingDelayMs: number;
  /** Address of the public pages; known once the simulator listens. */
  siteUrl: string;
  /** Does what is due and returns the present time. Call it before every read. */
  present(): number;
  close(): void;
}
