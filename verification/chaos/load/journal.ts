import type { BadAnswer, BulkUpload, Write } from '../observed.ts';

/** What the load did, in its order. */
export interface Journal {
  readonly writes: Write[];
  readonly bulks: BulkUpload[];
  /** Tries by what came back, many of them of one write. */
  readonly tries: { accepted: number; refused: number; unknown: number };
  /** When tries were accepted, ms since 1970. */
  readonly acceptedAt: number[];
  readonly badAnswers: BadAnswer[];
}

export const openJournal = (): Journal => ({
  writes: [],
  bulks: [],
  tries: { accepted: 0, refused: 0, unknown: 0 },
  acceptedAt: [],
  badAnswers: [],
});
