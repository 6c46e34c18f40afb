import type { BulkSyncId } from '../ids.ts';

/** What a line of a bulk sync did to an item. */
export interface LineOutcome {
  /** Number of the line within its bulk sync. */
  readonly line: number;
  readonly outcome: 'created' | 'updated' | 'unchanged' | 'removed';
}

/**
 * Written with what lines of a bulk sync change: a worker that applies the same chunk again reads here what they did, and
 * writes nothing (protocol 19).
 */
export interface AppliedChunk {
  readonly bulkId: BulkSyncId;
  /** The last of the bulk's chunks that wrote the item; chunks of one account are applied one after the other. */
  readonly chunk: number;
  readonly at: Date;
  readonly outcomes: readonly LineOutcome[];
}

/** As many as an account may have unfinished at once. */
const marksMax = 20;
/** Beyond a day only the newest are kept: a chunk is seldom applied again after so long, and all of this travels with every read. */
const alwaysKept = 3;
const keptMs = 86_400_000;

export const appliedChunkOf = (marks: readonly AppliedChunk[], bulkId: BulkSyncId): AppliedChunk | undefined =>
  marks.find((mark) => mark.bulkId === bulkId);

/** The chunks with a bulk's new one, which takes the place of its earlier one. */
export function withAppliedChunk(marks: readonly AppliedChunk[], mark: AppliedChunk): readonly AppliedChunk[] {
  const others = marks.filter(({ bulkId }) => bulkId !== mark.bulkId);
  const oldest = mark.at.getTime() - keptMs;
  const kept = others.filter(({ at }, index) => index > others.length - alwaysKept || at.getTime() > oldest);
  return [...kept, mark].slice(-marksMax);
}
