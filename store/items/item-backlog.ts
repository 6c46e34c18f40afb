import type { mongo } from 'mongoose';
import { accountId, itemId, type AccountId, type ItemId } from '../../core/ids.ts';
import { firstNudgeDelayMs } from '../../core/items/accept-write.ts';
import type { StoreConnection } from '../database/connection.ts';
import type { ItemRow } from './item-row.ts';
import { itemCollection } from './items.ts';
import type { DueItem } from './claim-items.ts';

/** An item that left the backlog because its turn has come. */
export interface BacklogItem extends DueItem {
  /** Request id of the call that wrote the item last; null when there is none. */
  readonly requestId: string | null;
  /** Since when it has waited in the backlog. */
  readonly since: Date;
  /** A higher version on the item means that a workflow has worked on it. */
  readonly version: number;
}

/** Progress of an item whose turn has come. */
export interface BacklogProgress {
  readonly itemId: ItemId;
  readonly version: number;
  readonly isSettled: boolean;
  /** The item waits for an external condition. */
  readonly isWaiting: boolean;
}

export interface BacklogTurn {
  /** Accounts have their turn in the order of their ids. The turn goes to the next account after this id; '' starts anew. */
  readonly after: string;
  /** Accounts to skip, because they have enough work in progress. */
  readonly without: readonly AccountId[];
  /** If the item is not settled by then, the dispatcher signals it. */
  readonly sweepAt: Date;
}

/** The backlog of items with work from bulk writes. Each account has its own queue, oldest first. */
export interface ItemBacklog {
  /** Claims the first item of the next account; null when the backlog is empty. No other process gets the same item. */
  claimNext(turn: BacklogTurn): Promise<BacklogItem | null>;
  /** Puts the item back in its place, unless another process has written or claimed it meanwhile. */
  putBack(id: ItemId, claim: { readonly sweepAt: Date; readonly since: Date }): Promise<void>;
  /** Items that no longer exist are left out. */
  readProgress(ids: readonly ItemId[]): Promise<BacklogProgress[]>;
}

/** No majority is needed: a lost claim only means that an item is signalled twice. */
const quickly = { writeConcern: { w: 1 } } as const;

export function createItemBacklog(store: StoreConnection): ItemBacklog {
  const items = itemCollection(store);
  return {
    claimNext: (turn) => claimNext(items, turn),
    putBack: async (id, { sweepAt, since }) => {
      const claimed = { _id: id, nextNudgeAt: sweepAt, backlogAt: null };
      await items.updateOne(claimed, { $set: { backlogAt: since, nextNudgeAt: null } }, quickly);
    },
    readProgress: async (ids) => {
      const projection = { version: 1, revision: 1, settledRevision: 1, 'processing.waitingFor': 1 } as const;
      const rows = await items.find({ _id: { $in: [...ids] } }, { projection }).toArray();
      return rows.map(({ _id, version, revision, settledRevision, processing }) => ({
        itemId: itemId(_id),
        version,
        isSettled: revision === settledRevision,
        isWaiting: processing.waitingFor !== null,
      }));
    },
  };
}

async function claimNext(
  items: mongo.Collection<ItemRow>,
  { after, without, sweepAt }: BacklogTurn,
): Promise<BacklogItem | null> {
  const row = await items.findOneAndUpdate(
    { accountId: { $gt: after, $nin: [...without] }, backlogAt: { $type: 'date' } },
    {
      $set: { backlogAt: null, nextNudgeAt: sweepAt, nudgeDelayMs: firstNudgeDelayMs },
      $currentDate: { owedSince: true },
    },
    {
      sort: { accountId: 1, backlogAt: 1 },
      projection: { accountId: 1, externalId: 1, version: 1, backlogAt: 1, requestId: 1 },
      ...quickly,
    },
  );
  if (row?.backlogAt == null) return null;
  return {
    itemId: itemId(row._id),
    accountId: accountId(row.accountId),
    externalId: row.externalId,
    requestId: row.requestId ?? null,
    since: row.backlogAt,
    version: row.version,
  };
}
