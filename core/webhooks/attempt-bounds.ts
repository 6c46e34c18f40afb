/**
 * How many attempts one worker process has under way at once. An attempt does nothing but wait for its receiver, so the bounds
 * are there to keep receivers apart, not to save anything. What is new always finds a place: a target may take another one
 * only while it holds fewer than are free, and the last ones are kept for targets that are known to answer.
 */
export const attemptBounds = {
  inFlightMax: 200,
  /** While so many are in flight, targets of which no fast answer is known begin none. */
  unprovenMax: 175,
  /** The same for targets that are slow or hang. */
  suspectsMax: 150,
  perTargetMax: {
    /** Answers or fails fast, or nothing is known of it. */
    sound: 32,
    slow: 16,
    /** Has left several attempts in a row without an answer: few, because each costs CPU time that others need. */
    hanging: 4,
  },
} as const;
