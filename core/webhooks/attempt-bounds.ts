/**
 * Bounds of the attempts that one worker process has in flight. They keep slow receivers from blocking others; they save no
 * resources, because an attempt only waits for its receiver. A new target always finds a slot: a target may take another slot
 * only while it holds fewer than are free. The last slots are kept for targets that are known to answer.
 */
export const attemptBounds = {
  inFlightMax: 200,
  /** With this many in flight, targets without a known fast answer begin no attempt. */
  unprovenMax: 175,
  /** The same for targets that are slow or hang. */
  suspectsMax: 150,
  perTargetMax: {
    /** The target answers or fails fast, or is unknown so far. */
    sound: 32,
    slow: 16,
    /** Several attempts in a row had no answer. The bound is low, because each attempt costs CPU time that others need. */
    hanging: 4,
  },
} as const;
