import { numberEvents } from '../../../features/webhooks/store/events.ts';
import type { System } from './system.ts';

/** The product's own rows, as far as the crash tests look into them. */
export interface StoredRow {
  readonly _id: string;
  readonly externalId: string;
  readonly current: boolean;
  readonly revision: number;
  readonly settledRevision: number;
  readonly sequence: number;
  readonly processing: { readonly stage: string; readonly waitingFor: string | null };
  readonly createdAt: Date;
}

export interface StoredEvent {
  readonly _id: string;
  readonly number: number;
  readonly type: string;
  readonly itemId: string;
  readonly externalId: string;
  readonly sequence: number;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface Stored {
  readonly rows: readonly StoredRow[];
  /** In the order of their numbers. */
  readonly events: readonly StoredEvent[];
  readonly orders: readonly { readonly _id: string; readonly adId: string }[];
}

export async function readStored({ foundation, accountId }: System): Promise<Stored> {
  // As a reader of the feed would have them.
  while (await numberEvents(foundation.store, accountId));
  const read = (collection: string, sort: Record<string, 1>) =>
    foundation.store.connection.collection(collection).find({ accountId }).sort(sort).toArray();
  const [rows, events, orders] = [
    await read('items', { createdAt: 1 }),
    await read('events', { number: 1 }),
    await read('orders', { createdAt: 1 }),
  ];
  return { rows, events, orders } as unknown as Stored;
}
