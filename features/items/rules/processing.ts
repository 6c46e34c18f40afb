/** What is being done, or was done last. */
export const stages = [
  'queued',
  'images',
  'enriching',
  'publishing',
  'pricing',
  'taking_down',
  'published',
  'ended',
  'removed',
  'sold',
  'settled',
  'given_up',
] as const;
export type Stage = (typeof stages)[number];

/** What an item may wait for. `reasonTexts` in features/operations/rules/reasons.ts explains each. */
export const waits = [
  'marketplace_connection',
  'marketplace_reconnection',
  'marketplace_budget',
  'marketplace',
  'marketplace_unclear',
  'marketplace_active_limit',
  'marketplace_take_down',
  'operator',
  'image_store',
  'images',
  'auction_end',
  'previous_listing',
  'start_time',
] as const;
export type WaitingFor = (typeof waits)[number];

/** Progress of an item's work, and the reason when it is blocked. */
export interface Processing {
  readonly stage: Stage;
  /** null while the item waits for nothing. */
  readonly waitingFor: WaitingFor | null;
  /** Failed tries in a row. */
  readonly attempts: number;
  readonly lastError: string | null;
  /** When the present wait began; null when there is none. */
  readonly since: Date | null;
  /** Nothing is tried again before this time; null when there is no wait. */
  readonly notBefore: Date | null;
  readonly updatedAt: Date;
}
