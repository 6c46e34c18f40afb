/**
 * Bounds of the attempts that one process has in flight. They keep slow receivers from blocking others, and a stranger's
 * account from aiming this service at a host of others. An attempt only waits for its receiver, so they save no other resource.
 */
export const attemptBounds = {
  inFlightMax: 600,
  /** With this many attempts in flight, a receiver that has not proved to be fast begins no further one. */
  unprovenMax: 525,
  /** The same for receivers that are slow or hang. */
  suspectsMax: 450,
  /** One host, for all accounts together. */
  perHostMax: 128,
  /** One account at one host, all of its endpoints there together. */
  perReceiverMax: {
    /** The start value; each success adds two. */
    unknown: 4,
    /** The receiver answers or fails fast. */
    sound: 32,
    slow: 16,
    /** Several attempts in a row had no answer. */
    hanging: 4,
  },
  /** A fast receiver may have this many times as many attempts reserved, as far as it answers them in `aheadMs` at its pace. */
  reservedAhead: 16,
  aheadMs: 2_000,
  /** For all receivers together, because each reserved attempt holds its body in memory. */
  aheadMax: 5_000,
} as const;

/** API and worker alike: with more than one of each, a host gets no more than from these two. */
export const perHostMaxOf = ({ apis, workers }: { readonly apis: number; readonly workers: number }): number =>
  Math.ceil((attemptBounds.perHostMax * 2) / (apis + workers));
