import { demand, type Surroundings } from './model-terms.ts';

const minute = 60_000;
const hour = 60 * minute;

/** What must have been met before a cause may be told. */
const troubles: Readonly<Record<string, string>> = {
  MARKETPLACE_TOKEN_EXPIRED: 'token',
  MARKETPLACE_BUDGET_EXHAUSTED: 'budget',
  MARKETPLACE_ACTIVE_LIMIT: 'result-too-many',
};

/** Time-outs are told after this long and given up after that; the other causes when they are met. */
const tellsAfterMs: Readonly<Record<string, number>> = {
  MARKETPLACE_TIMEOUT: 5 * minute,
  MARKETPLACE_TIMEOUT_GIVEN_UP: 24 * hour,
  IMAGES_FAILED: 0,
  LISTING_REFUSED: 0,
  PUBLICATION_UNCLEAR: 0,
  PRICE_REFUSED: 0,
};

/** Whether a publication that was opened then may be told to have failed because of this. Throws {@link Mismatch}. */
export function requireReason(cause: string, openedAtMs: number, around: Surroundings): void {
  const trouble = troubles[cause];
  if (trouble !== undefined) return demand(around.wasMet(trouble), `${cause} without a reason`);
  const afterMs = tellsAfterMs[cause];
  demand(afterMs !== undefined, `unknown cause ${cause}`);
  demand(around.nowMs - openedAtMs >= afterMs, `${cause} is told too early`);
}
