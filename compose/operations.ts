import { setTimeout as pause } from 'node:timers/promises';
import { Client } from '@temporalio/client';
import { connectTemporal } from '../gateways/orchestrator/temporal-connection.ts';
import { createTemporalOperations } from '../gateways/orchestrator/temporal-operations.ts';
import { loadImageStoreConfig, type Config, type loadTemporalConfig } from './config.ts';
import { openMigratedStore } from '../platform/database/schema-version.ts';
import { explainItem, findItemMeant } from '../features/operations/explain-item.ts';
import type { AccountWish, OperationsContext } from '../features/operations/find-account.ts';
import { findStuck, type StuckWish } from '../features/operations/find-stuck.ts';
import { eraseBuyer, exportBuyer, type BuyerKey } from '../features/operations/export-and-erase-buyer.ts';
import {
  countRetries,
  retryDelivery,
  retryOne,
  retryStuck,
  type BulkRetryWish,
} from '../features/operations/retry-stuck.ts';
import { eraseAccount, planErasure } from '../features/operations/erase-account.ts';
import { exportAccount } from '../features/operations/export-account.ts';
import { voidOrder } from '../features/operations/void-order.ts';
import { hintsOfCommand } from './starts.ts';
import { openImageStore } from './image-store.ts';
import { schemaVersion } from './schema-steps.ts';

/** Longer than an attempt of a delivery with its record, and than a dead run's activity goes on. */
const settledAfterMs = 25_000;

/** The actions of operators outside the HTTP interface. They need the database; an unavailable engine is reported. */
export async function openOperations(
  config: Pick<Config, 'mongo'> & { readonly temporal: ReturnType<typeof loadTemporalConfig> },
  operator?: string,
) {
  const store = await openMigratedStore({ ...config.mongo, schemaVersion });
  const { namespace, taskQueue } = config.temporal;
  const connection = connectTemporal(config.temporal.connection);
  const client = new Client({ connection, namespace });
  const context: OperationsContext = {
    store,
    engine: createTemporalOperations(client, taskQueue),
    hints: hintsOfCommand,
    now: store.clock.now,
    operator,
  };
  const ownImages = () => openImageStore(loadImageStoreConfig());
  const erasing = async () => ({ imageStore: await ownImages(), settle: () => pause(settledAfterMs) });
  return {
    findStuck: (wish: StuckWish) => findStuck(context, wish),
    explainItem: (wanted: string, wish: AccountWish) => explainItem(context, wanted, wish),
    retryOne: async (wanted: string, wish: AccountWish) =>
      retryOne(context, await findItemMeant(context, wanted, wish)),
    countRetries: (wish: BulkRetryWish) => countRetries(context, wish),
    retryStuck: (wish: BulkRetryWish, options: Parameters<typeof retryStuck>[2]) => retryStuck(context, wish, options),
    retryDelivery: (id: string) => retryDelivery(context, id),
    exportBuyer: (key: BuyerKey) => exportBuyer(context, key),
    voidOrder: (id: string) => voidOrder(context, id),
    eraseBuyer: (key: BuyerKey) => eraseBuyer(context, key),
    exportAccount: async function* exported(email: string) {
      yield* exportAccount({ ...context, imageStore: await ownImages() }, email);
    },
    planErasure: async (email: string) => planErasure({ ...context, ...(await erasing()) }, email),
    eraseAccount: async (email: string) => eraseAccount({ ...context, ...(await erasing()) }, email),
    close: async () => {
      await connection.close();
      await store.close();
    },
  };
}

export type Operations = Awaited<ReturnType<typeof openOperations>>;
