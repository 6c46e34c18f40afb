/**
 * Bounds of the attempts that one worker process has in flight. They keep slow receivers from blocking others, and a stranger's
 * account from aiming this service at a host of others. An attempt only waits for its receiver, so they save no other resource.
 */
export const attemptBounds = {
  inFlightMax: 600,
  /** With this many in flight, accounts whose receiver has not answered quickly yet begin no attempt. */
  unprovenMax: 525,
  /** The same for receivers that are slow or hang. */
  suspectsMax: 450,
  /** One host, for all accounts together. */
  perHostMax: 128,
  /** One account at one host, all of its endpoints there together. */
  perReceiverMax: {
    /** At the beginning; each success allows two more. */
    unknown: 4,
    /** The receiver answers or fails fast. */
    sound: 32,
    slow: 16,
    /** Several attempts in a row had no answer. */
    hanging: 4,
  },
  /**
   * A receiver that answers fast may have this many times as many reserved: at a second for each answer, the slowest that is fast,
   * the last one is still sent within its lease.
   */
  reservedAhead: 16,
  /** Of all receivers together: each holds its body in memory. */
  aheadMax: 5_000,
} as const;
