import type { DeliveryLoad } from './delivery-load.ts';
import type { Arrival } from './delivery-receivers.ts';

/** The end of a run is thin: what is left then are the attempts that were in flight, which wait for their lease. */
const owedMin = 100;

/**
 * The longest time without any arrival at a receiver that answers at once, from the kill on and while plenty was owed to
 * them: how long deliveries stood still.
 */
export function longestGapMs(load: DeliveryLoad, arrivals: readonly Arrival[], killedAt: number): number {
  const isHealthy = ({ receiver }: Arrival): boolean => receiver.startsWith('steady');
  const wanted = load.partners.flatMap(({ receivers, events }) =>
    receivers.filter((receiver) => receiver.startsWith('steady')).map(() => events),
  );
  const firsts = new Map(
    arrivals.filter(isHealthy).map((arrival) => [`${arrival.receiver} ${arrival.eventId}`, arrival] as const),
  );
  const times = [...firsts.values()].map(({ at }) => at).toSorted((one, other) => one - other);
  const owedUntil = times.slice(0, Math.max(0, wanted.reduce((sum, count) => sum + count, 0) - owedMin));
  const after = [killedAt, ...owedUntil.filter((at) => at > killedAt)];
  return Math.max(...after.slice(1).map((at, index) => at - (after[index] ?? at)));
}
