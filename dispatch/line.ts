import { disableAfterFailures } from '../core/webhooks/delivery.ts';
import type { Destination } from '../store/webhooks/webhook-targets.ts';
import type { TargetName } from '../usecases/deliveries/prepare-attempt.ts';
import type { ReceiverName } from '../usecases/deliveries/receiver-slots.ts';

/** What this process knows of the deliveries that wait for one target. */
export interface Line extends TargetName {
  /** Where it was sent to last; undefined before the first look. */
  receiver: ReceiverName | undefined;
  /** The database has deliveries of it that nothing was reserved for. New ones go behind them. */
  isWaiting: boolean;
  /** How often it was said to have some. */
  added: number;
  /** First attempts that are reserved or under way. */
  inFlight: number;
  /** Deliveries between two attempts, as far as this process knows. */
  retrying: number;
  /** Deliveries given up in a row. */
  failCount: number;
  /** Successes since the last one that was given up. */
  credit: number;
  troubleNotedAt: number;
}

export const newLine = ({ target, accountId, endpointId }: TargetName): Line => ({
  ...{ target, accountId, endpointId, receiver: undefined, isWaiting: false, added: 0 },
  ...{ inFlight: 0, retrying: 0, failCount: 0, credit: 0, troubleNotedAt: Number.NEGATIVE_INFINITY },
});

/** What the database says of a target, at any look. */
export function learn(line: Line, { url, failCount }: Destination): void {
  line.receiver = { accountId: line.accountId, url };
  line.failCount = failCount;
  if (failCount > 0) line.credit = 0;
}

/** A receiver that fails now and then keeps its pace: so many successes allow one more delivery between two attempts. */
const successesPerMore = 5;
const moreMax = 60;

/**
 * How many more first attempts a target may have. While deliveries of it are between two attempts, all that are under way may come
 * to fail, and as many as disable it are enough. A URL of an account is never disabled: after as many failures in a row it is asked
 * with one delivery at a time.
 */
export function roomOf({ endpointId, failCount, retrying, inFlight, credit }: Line): number {
  if (endpointId === null && failCount >= disableAfterFailures) return 1 - retrying - inFlight;
  if (retrying === 0) return Infinity;
  const more = Math.min(moreMax, Math.floor(credit / successesPerMore));
  return disableAfterFailures + more - retrying - inFlight;
}
