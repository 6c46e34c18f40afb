import { randomUUID } from 'node:crypto';
import type { TestFn } from 'ava';
import type { RateRule } from '../../../core/rate-limits/rate-rule.ts';
import { openStore, type StoreConnection } from '../../../store/database/connection.ts';
import { windowMs } from '../../../store/rate-limits/rate-buckets.ts';
import { createRateLimiter } from '../../../store/rate-limits/rate-limiter.ts';
import { giveDatabaseBack, takeDatabase, testMongodbUri } from '../../support/test-database.ts';

export const rule: RateRule = { name: 'key', capacity: 200, perSecond: 100 };
/** However busy the machine is: a call that waits too long would be counted by its process alone. */
export const patient = { waitMaxMs: 60_000 };

export interface Clock {
  readonly now: () => Date;
  /** ms since the clock was made. */
  readonly passed: () => number;
  readonly pass: (ms: number) => void;
}

/** That of the processes and of the database, moved by the test. It begins with a window, so far in the future that no row expires. */
export function makeClock(): Clock {
  const begin = (Math.ceil(Date.now() / windowMs) + 10) * windowMs;
  let passedMs = 0;
  const pass = (ms: number): void => {
    passedMs += ms;
  };
  return { now: () => new Date(begin + passedMs), passed: () => passedMs, pass };
}

/** One database for the whole file, and three connections to it, as of three processes. */
export function withThreeStores(test: TestFn) {
  let database = '';
  let stores: StoreConnection[] = [];
  const open = (): Promise<StoreConnection> => openStore({ uri: testMongodbUri(), database });
  test.before(async () => {
    database = await takeDatabase();
    stores = await Promise.all([open(), open(), open()]);
    // A connection makes the model of the collection at its first call: a stand-in with another `db` can not.
    await Promise.all(stores.map((store) => createRateLimiter(store, rule, patient).consume(randomUUID())));
  });
  test.after.always(async () => {
    await Promise.all(stores.map((store) => store.close()));
    giveDatabaseBack(database);
  });
  return {
    stores: (): readonly StoreConnection[] => stores,
    /** The first of them. */
    store: (): StoreConnection => stores[0] ?? ({} as StoreConnection),
    /** One more. */
    open,
  };
}
