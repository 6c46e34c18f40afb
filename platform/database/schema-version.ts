import { setTimeout as pause } from 'node:timers/promises';
import { Schema } from 'mongoose';
import type { Logger } from '../logger.ts';
import { defineRows, openStore, type StoreConnection, type StoreOptions } from './connection.ts';

/** The one row of the collection: which structure the database has. */
export interface SchemaRow {
  readonly _id: 'schema';
  /** The number of the last step that was done; 0 before the first one, as 0.9 left it. */
  readonly version: number;
  /** Processes whose own version is lower can't work with these rows, and do not start. Those that run are not ended. */
  readonly compatibleFrom: number;
  /** The process that migrates, and until when it has the lease; absent while none does. */
  readonly holder?: string;
  readonly heldUntil?: Date;
}

export const schemaRows = defineRows<SchemaRow>('schema', new Schema({}, { strict: false }));

export type SchemaVersion = Pick<SchemaRow, 'version' | 'compatibleFrom'>;

const onlyVersion = { projection: { _id: 0, version: 1, compatibleFrom: 1 } };

export const readSchemaVersion = async (store: StoreConnection): Promise<SchemaVersion> =>
  (await schemaRows(store).findOne<SchemaVersion>({ _id: 'schema' }, onlyVersion)) ?? { version: 0, compatibleFrom: 0 };

/** The rows are of a newer version, which this one does not understand. Its message says what an operator does. */
export class DatabaseTooNewError extends Error {
  override readonly name = 'DatabaseTooNewError';
}

/** Throws {@link DatabaseTooNewError}. */
export function requireKnown({ version, compatibleFrom }: SchemaVersion, own: number): void {
  if (compatibleFrom <= own) return;
  throw new DatabaseTooNewError(
    `the database has version ${version} of its structure, which needs an itembridge of version ${compatibleFrom} or later; this one has ${own}: ` +
      'start the newer release again, or restore the backup from before its migration (docs/upgrading.md)',
  );
}

/** The rows are of an older version. Its message says what an operator does. */
export class DatabaseTooOldError extends Error {
  override readonly name = 'DatabaseTooOldError';
}

/**
 * Opens a database for a tool, which does not wait. Throws {@link DatabaseTooNewError}, {@link DatabaseTooOldError}, or the driver's
 * error when no primary answers in time.
 */
export async function openMigratedStore({
  schemaVersion,
  ...options
}: StoreOptions & { readonly schemaVersion: number }): Promise<StoreConnection> {
  const store = await openStore(options);
  try {
    const found = await readSchemaVersion(store);
    requireKnown(found, schemaVersion);
    if (found.version >= schemaVersion) return store;
    throw new DatabaseTooOldError(
      `the database has version ${found.version} of its structure; this itembridge needs ${schemaVersion}: run "itembridge migrate" first`,
    );
  } catch (error) {
    await store.close();
    throw error;
  }
}

export interface Waiting {
  readonly logger: Pick<Logger, 'warn'>;
  /** Called when the wait begins; what it gives is called when it ends. */
  readonly onWaiting?: (() => Promise<() => Promise<void>>) | undefined;
  readonly lookEveryMs?: number;
}

const toldEvery = 30;

/**
 * Waits until the database has the structure that this process needs. While it waits, the log says each minute what to run. Throws
 * {@link DatabaseTooNewError}.
 */
export async function untilMigrated(
  store: StoreConnection,
  own: number,
  { logger, onWaiting, lookEveryMs = 2_000 }: Waiting,
): Promise<void> {
  let endWaiting: (() => Promise<void>) | undefined;
  try {
    for (let looks = 0; ; looks += 1) {
      const found = await readSchemaVersion(store);
      requireKnown(found, own);
      if (found.version >= own) return;
      if (looks % toldEvery === 0)
        logger.warn({ version: found.version, needed: own, run: 'itembridge migrate' }, 'database.migration_awaited');
      if (looks === 0) endWaiting = await onWaiting?.();
      await pause(lookEveryMs);
    }
  } finally {
    await endWaiting?.();
  }
}
