import type { mongo } from 'mongoose';
import type { AccountId, ItemId } from '../../rules/ids.ts';
import type { Item } from '../rules/item.ts';
import type { StoreConnection } from '../../../platform/database/connection.ts';
import { findNewestFormer, type FormerItem } from './former-items.ts';
import { acceptorThatSendsNothing, type Accepted, type Acceptor, type ItemWrite } from './accept-writes.ts';
import { itemProof, type ItemProof } from './item-writes.ts';
import { itemFromRow, type ItemRow } from './item-row.ts';
import { itemCollection } from './item-collection.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';

/** The fields that tell whether an equal push would change an item or return a warning. */
export type PushedItem = Pick<ItemRow, 'externalId' | 'acceptedAt'> & { readonly pushHash: string };

/** Reads and writes of many items of one account. All reads are majority reads. */
export interface ItemLineStore extends ItemProof {
  /** The current items under the external ids, in no order. */
  findCurrent(account: AccountId, externalIds: readonly string[]): Promise<Item[]>;
  /** The newest former item of each external id that has one, archived or a tombstone. */
  findFormer(account: AccountId, externalIds: readonly string[]): Promise<ReadonlyMap<string, FormerItem>>;
  /** For current items with a push hash: the fields that tell whether pushes would change anything. */
  findPushed(account: AccountId, externalIds: readonly string[]): Promise<PushedItem[]>;
  /** Current and former items, in no order. */
  findByIds(account: AccountId, ids: readonly ItemId[]): Promise<Item[]>;
  /**
   * Stores all changes together, each as ItemStore's `insert` or `replace`. One result per change, in order; null without effect.
   */
  write(changes: readonly ItemChange[], options?: Pick<ItemWrite, 'isAccepted'>): Promise<(Item | null)[]>;
  /** Stores the changes, and what `also` stores, in one transaction or not at all; throws what {@link isConflict} takes for one. */
  writeWith: Acceptor['acceptWith'];
}

/** A change of an item; `previous` is null for a new one. */
export type ItemChange = Pick<ItemWrite, 'previous' | 'next'>;

/** The store for the lines of bulk syncs and batches. */
export function createItemLineStore(
  store: StoreConnection,
  { acceptAll, acceptWith }: Pick<Acceptor, 'acceptAll' | 'acceptWith'> = acceptorThatSendsNothing(store),
): ItemLineStore {
  const items = itemCollection(store);
  const find = async (filter: mongo.Filter<ItemRow>): Promise<Item[]> => {
    const rows = await items.find(filter).toArray();
    return rows.map(itemFromRow);
  };
  return {
    ...itemProof(store, items),
    findCurrent: (account, externalIds) =>
      find({ accountId: account, externalId: { $in: [...externalIds] }, current: true }),
    findFormer: (account, externalIds) => findNewestFormer(store, account, externalIds),
    // In a transaction, because its commit needs a majority, which a primary that is cut off does not get
    // (item-writes.ts).
    findPushed: (account, externalIds) =>
      inTransaction(store, (session) =>
        items
          .find(
            { accountId: account, externalId: { $in: [...externalIds] }, current: true, pushHash: { $type: 'string' } },
            { session },
          )
          .project<PushedItem>({ _id: 0, externalId: 1, acceptedAt: 1, pushHash: 1 })
          .toArray(),
      ),
    findByIds: (account, ids) => find({ _id: { $in: [...ids] }, accountId: account }),
    writeWith: acceptWith,
    write: async (changes, { isAccepted } = {}) => {
      const outcomes = await acceptAll(changes.map((change) => ({ ...change, isAccepted })));
      return outcomes.map(orThrow);
    },
  };
}

function orThrow(outcome: Accepted): Item | null {
  if (outcome instanceof Error) throw outcome;
  return outcome;
}
