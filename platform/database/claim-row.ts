import { mongo } from 'mongoose';
import pLimit from 'p-limit';

interface ClaimOptions {
  readonly maxTimeMS: number;
}

/** Many times what a claim takes, also on a busy machine. A locked row is looked at again in the next round. */
export const claimOptions: ClaimOptions = { maxTimeMS: 2_000 };
/** After a row that is locked others of the same transaction come, and none of them is worth a wait. */
const impatient: ClaimOptions = { maxTimeMS: 200 };

const timeLimitExceeded = 50;
const claimsAtOnce = 8;

/**
 * Whether the write of {@link claimOptions} has given its row to this process. A row that the transaction of a dead process has locked
 * stays as it is: waiting until the server ends that transaction would take up to 90 s, and what is owed beside it would wait, too.
 */
export async function isClaimed(
  write: Promise<mongo.UpdateResult>,
  onLocked: () => void = () => undefined,
): Promise<boolean> {
  try {
    return (await write).matchedCount === 1;
  } catch (error) {
    // Written, while secondaries lag: at worst it is started twice, which is a no-op.
    if (error instanceof mongo.MongoWriteConcernError) return error.result['n'] === 1;
    if (!(error instanceof mongo.MongoServerError) || error.code !== timeLimitExceeded) throw error;
    onLocked();
    return false;
  }
}

/** The rows that this process has got. */
export async function claimEach<Row>(
  rows: readonly Row[],
  claim: (row: Row, options: ClaimOptions) => Promise<mongo.UpdateResult>,
): Promise<Row[]> {
  const limit = pLimit(claimsAtOnce);
  let options = claimOptions;
  const onLocked = (): void => {
    options = impatient;
  };
  const claimed = await Promise.all(
    rows.map((row) => limit(async () => ((await isClaimed(claim(row, options), onLocked)) ? [row] : []))),
  );
  return claimed.flat();
}
