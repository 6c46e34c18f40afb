import type { ItemId } from '../../core/ids.ts';
import type { Item } from '../../core/items/item.ts';
import type { Logger } from '../../platform/logger.ts';
import { isStoreUnavailable } from '../../store/database/connection.ts';
import { settleShortly, type AdvanceDependencies } from './advance-item.ts';

/**
 * The first look at an item that owes work, by the worker itself: true when nothing is left to do, false when it needs its workflow.
 * Never throws: what failed for a reason of its own goes on where operators see it, and what the database refused is due again soon.
 */
export type LookFirst = (id: ItemId, found?: Item) => Promise<boolean>;

export const createLookFirst =
  (dependencies: AdvanceDependencies, logger: Pick<Logger, 'warn'>): LookFirst =>
  async (id, found) => {
    try {
      return await settleShortly(dependencies, id, found);
    } catch (error) {
      logger.warn({ itemId: id, err: error }, 'item.first_look_failed');
      return isStoreUnavailable(error);
    }
  };
