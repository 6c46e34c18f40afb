import type { ItembridgeClient } from '../../client/create-itembridge-client.ts';
import type { BulkSync } from '../../client/generated/types.gen.ts';
import { ItembridgeError } from '../../client/itembridge-error.ts';

/** Returns undefined when the service does not have the bulk sync, or no longer. */
export async function findBulk(
  client: ItembridgeClient,
  id: string,
  signal?: AbortSignal,
): Promise<BulkSync | undefined> {
  try {
    return await client.bulkSyncs.read(id, signal && { signal });
  } catch (error) {
    if (error instanceof ItembridgeError && error.status === 404) return undefined;
    throw error;
  }
}
