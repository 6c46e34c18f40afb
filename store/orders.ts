import { Schema } from 'mongoose';
import type { AccountId, ItemId, OrderId } from '../core/ids.ts';
import { defineCollection, isDuplicateKey, type StoreConnection } from './connection.ts';

/** A sale. Money in whole öre; category, domain and fee are those of its time (decisions "Orders"). */
export interface OrderRow {
  readonly _id: OrderId;
  readonly accountId: AccountId;
  readonly itemId: ItemId;
  readonly externalId: string;
  readonly platform: 'marketplace' | 'service' | 'service_card' | 'service_mobile';
  readonly amountOre: number;
  readonly feeBps: number;
  readonly feeOre: number;
  readonly state: 'pending' | 'paid' | 'completed' | 'cancelled';
  readonly domain: string;
  readonly category: string;
  readonly adId: string | null;
  readonly soldAt: Date;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const schema = new Schema(
  {
    _id: String,
    accountId: String,
    itemId: String,
    externalId: String,
    platform: String,
    amountOre: Number,
    feeBps: Number,
    feeOre: Number,
    state: String,
    domain: String,
    category: String,
    adId: String,
    soldAt: Date,
    createdAt: Date,
    updatedAt: Date,
  },
  { versionKey: false },
);
schema.index({ accountId: 1, createdAt: -1 });
const model = defineCollection<OrderRow>('orders', schema);

export interface OrderStore {
  /** Inserting an order that is there already changes nothing: its id says which sale it is. */
  insertOnce(order: OrderRow): Promise<void>;
  /** A pending order becomes paid; any other state stays, and an order that isn't there yet is left to its item. */
  markPaid(account: AccountId, order: OrderId, now: Date): Promise<void>;
}

export function createOrderStore(store: StoreConnection): OrderStore {
  return {
    insertOnce: async (order) => {
      try {
        await model(store).insertMany([order]);
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
    },
    markPaid: async (account, order, now) => {
      await model(store).updateOne(
        { _id: order, accountId: account, state: 'pending' },
        { $set: { state: 'paid', updatedAt: now } },
      );
    },
  };
}
