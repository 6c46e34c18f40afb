import type { mongo } from 'mongoose';
import { accountId, itemId, type AccountId, type ItemId } from '../../core/ids.ts';
import { firstNudgeDelayMs } from '../../core/items/accept-write.ts';
import type { StoreConnection } from '../database/connection.ts';
import type { ItemRow } from './item-row.ts';
import { itemCollection } from './items.ts';
import type { DueItem } from './claim-items.ts';

/** An item that left the lane because its turn has come. */
export interface BacklogItem extends DueItem {
  /** Of the call that wrote it last; null when none did. */
  readonly requestId: string | null;
  /** Since when it stood in the lane. */
  readonly since: Date;
  /** A workflow has looked at it once it has a higher one. */
  readonly version: number;
}

/** Where an item stands whose turn has come. */
export interface BacklogProgress {
  readonly itemId: ItemId;
  readonly version: number;
  readonly isSettled: boolean;
  /** Something outside decides when it goes on. */
  readonly isWaiting: boolean;
}

export interface BacklogTurn {
  /** Accounts come in the order of their ids: the next one after this; all of them with ''. */
  readonly after: string;
  /** Accounts that have had enough for now. */
  readonly without: readonly AccountId[];
  /** Should nobody finish it, the sweep nudges it then. */
  readonly sweepAt: Date;
}

/** The lane of items that many-at-once writes left work on; each account's stand in a line of their own, oldest first. */
export interface ItemBacklog {
  /** Takes the first item of the next account out of the lane; null when there is none. Nobody else gets the same one. */
  claimNext(turn: BacklogTurn): Promise<BacklogItem | null>;
  /** Puts it back where it was, unless somebody wrote it or took it meanwhile. */
  putBack(id: ItemId, claim: { readonly sweepAt: Date; readonly since: Date }): Promise<void>;
  /** Those that are gone are left out. */
  readProgress(ids: readonly ItemId[]): Promise<BacklogProgress[]>;
}

/** A claim that gets lost is nothing worse than an item nudged twice. */
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
