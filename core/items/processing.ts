/** What is being done with an item, or was done last. */
export const stages = [
  'queued',
  'images',
  'enriching',
  'publishing',
  'revising',
  'taking_down',
  'published',
  'ended',
  'removed',
  'sold',
  'settled',
  'given_up',
] as const;
export type Stage = (typeof stages)[number];

/** What an item may wait for. `reasonTexts` in core/operations/reasons.ts says each in words. */
export const waits = [
  'marketplace_connection',
  'marketplace_reconnection',
  'marketplace_budget',
  'marketplace',
  'marketplace_active_limit',
  'marketplace_take_down',
  'operator',
  'image_store',
  'images',
  'auction_end',
  'previous_listing',
] as const;
export type WaitingFor = (typeof waits)[number];

/** How the work of an item goes, and why it does not move. */
export interface Processing {
  readonly stage: Stage;
  /** null while nothing is waited for. */
  readonly waitingFor: WaitingFor | null;
  /** Tries in a row that came to nothing. */
  readonly attempts: number;
  readonly lastError: string | null;
  /** When the present wait began; null when there is none. */
  readonly since: Date | null;
  /** Nothing is tried again before this time; null when nothing waits. */
  readonly notBefore: Date | null;
  readonly updatedAt: Date;
}
