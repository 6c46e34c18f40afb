import type { ExecutionContext, TestFn } from 'ava';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { startRecoveryLife, type LifeWish, type RecoveryLife } from './recovery-life.ts';
import { closeTestStore, openTestStore } from './open-test-store.ts';

export type OpenLife = (t: ExecutionContext, wish?: LifeWish) => Promise<RecoveryLife>;

/** One database for a test file, and lives in it that end with their tests. Run them one after the other: sweeps see all that is due. */
export function recoveryLives(test: TestFn): OpenLife {
  let store: StoreConnection;
  test.before(async () => {
    store = await openTestStore();
  });
  test.after.always(async () => {
    await closeTestStore(store);
  });
  return async (t, wish) => {
    const life = await startRecoveryLife(store, wish);
    t.teardown(() => life.close());
    return life;
  };
}

export const minuteMs = 60_000;

/** How many events are marked as missed. */
export const missedOf = async (life: RecoveryLife): Promise<number> => (await life.deliveries({ missed: true })).length;
