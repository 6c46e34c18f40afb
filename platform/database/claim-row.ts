import { mongo } from 'mongoose';

/** Many times what a claim takes, also on a busy machine. A locked row is looked at again in the next round. */
export const claimOptions = { maxTimeMS: 2_000 } as const;

const timeLimitExceeded = 50;

/**
 * Whether the write of {@link claimOptions} has given its row to this process. A row that the transaction of a dead process has locked
 * stays as it is: waiting until the server ends that transaction would take up to 90 s, and what is owed beside it would wait, too.
 */
export async function isClaimed(write: Promise<mongo.UpdateResult>): Promise<boolean> {
  try {
    return (await write).matchedCount === 1;
  } catch (error) {
    if (error instanceof mongo.MongoServerError && error.code === timeLimitExceeded) return false;
    throw error;
  }
}
