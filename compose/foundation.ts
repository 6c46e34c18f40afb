// Composition: ports meet implementations here, each process takes the part it needs.
import type { Client } from '@temporalio/client';
import type { Config } from '../platform/config.ts';
import type { Logger } from '../platform/logger.ts';
import { openStore, type StoreConnection } from '../store/connection.ts';

export const now = (): Date => new Date();

/** What every process has open. */
export interface Foundation {
  readonly config: Config;
  readonly logger: Logger;
  readonly store: StoreConnection;
  readonly client: Client;
}

/** Opens the database and creates the indexes that are missing. */
export async function openFoundation(opened: Omit<Foundation, 'store'>): Promise<Foundation> {
  const store = await openStore(opened.config.mongo);
  await store.ensureIndexes();
  return { ...opened, store };
}
