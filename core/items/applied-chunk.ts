import type { BulkSyncId } from '../ids.ts';

/** What a line of a bulk sync did to an item. */
export interface LineOutcome {
  /** Number of the line within its bulk sync. */
  readonly line: number;
  readonly outcome: 'created' | 'updated' | 'unchanged' | 'removed';
  /** Fields that it left out although the item had them; missing when there were none. */
  readonly leftOut?: readonly string[];
}

/**
 * Stored in the same write as the changes of a bulk sync's lines. A worker that applies the same chunk again reads the outcomes
 * here and writes nothing (protocol 19).
 */
export interface AppliedChunk {
  readonly bulkId: BulkSyncId;
  /** The bulk sync's last chunk that wrote the item. Chunks of one account are applied one after the other. */
  readonly chunk: number;
  readonly at: Date;
  readonly outcomes: readonly LineOutcome[];
}

/** Equals the number of bulk syncs that an account may have unfinished at once. */
const marksMax = 20;
/** After a day only the newest marks stay: a chunk is seldom applied again so late, and every read of an item carries them. */
const alwaysKept = 3;
const keptMs = 86_400_000;

/** The mark of this bulk sync; undefined when none of its chunks wrote the item. */
export const appliedChunkOf = (marks: readonly AppliedChunk[], bulkId: BulkSyncId): AppliedChunk | undefined =>
  marks.find((mark) => mark.bulkId === bulkId);

/** The marks with a new one, which replaces the earlier mark of the same bulk sync. */
export function withAppliedChunk(marks: readonly AppliedChunk[], mark: AppliedChunk): readonly AppliedChunk[] {
  const others = marks.filter(({ bulkId }) => bulkId !== mark.bulkId);
  const oldest = mark.at.getTime() - keptMs;
  const kept = others.filter(({ at }, index) => index > others.length - alwaysKept || at.getTime() > oldest);
  return [...kept, mark].slice(-marksMax);
}
