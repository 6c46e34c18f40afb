import { specifiedEventTypes } from '../../../features/webhooks/rules/event-types.ts';
import { groupBy } from '../../../features/rules/group-by.ts';
import { problemsOfWebhook } from '../../../test/support/sound-webhooks.ts';
import type { Arrival, DeliveryRow, Endpoint, EventRow, Observed, Violation } from '../observed.ts';

/** An event that was stored this long after its endpoint was made is for it; shortly before, it may be. */
const settlingMs = 5_000;

/** Every event has a delivery to every endpoint, comes at least once, always the same bytes, and nothing is on its way. */
export function checkDeliveries(observed: Observed): Violation[] {
  const { endpoints, deliveries, events, arrivals } = observed;
  const deliveriesOf = groupBy(deliveries, ({ endpointId }) => endpointId);
  const arrivalsOf = groupBy(arrivals, ({ receiver }) => receiver);
  const attemptsOf = groupBy(observed.attempts, ({ deliveryId }) => deliveryId);
  return [
    ...endpoints.flatMap((endpoint) => {
      const own = deliveriesOf.get(endpoint.id) ?? [];
      return [
        ...checkPlanned(endpoint, own, events),
        ...checkArrived(endpoint, own, arrivalsOf.get(endpoint.receiver) ?? []),
        ...checkBytes(endpoint, arrivalsOf.get(endpoint.receiver) ?? []),
        ...(endpoint.isReachable ? checkResetCount(endpoint, own, attemptsOf) : checkFailCount(endpoint, own)),
      ];
    }),
    ...deliveries
      .filter(({ state }) => state === 'pending')
      .map(({ id, attempts }): Violation => ({
        kind: 'delivery-stuck',
        id,
        message: `it is on its way still, after ${attempts} attempts`,
      })),
    ...deliveries.flatMap((delivery) => checkLog(delivery, attemptsOf.get(delivery.id) ?? [])),
  ];
}

function checkPlanned(endpoint: Endpoint, own: readonly DeliveryRow[], events: readonly EventRow[]): Violation[] {
  const planned = new Set(own.map(({ eventId }) => eventId));
  return events
    .filter(
      ({ id, account, acceptedAt, type }) =>
        // The endpoints name no types, so they get the specified ones.
        specifiedEventTypes.some((one) => one === type) &&
        account === endpoint.account &&
        acceptedAt > endpoint.createdAt + settlingMs &&
        !planned.has(id),
    )
    .map(({ id }): Violation => ({
      kind: 'delivery-missing',
      id,
      message: `no delivery to ${endpoint.receiver} was ever made`,
    }));
}

function checkArrived(endpoint: Endpoint, own: readonly DeliveryRow[], arrivals: readonly Arrival[]): Violation[] {
  const missing = (id: string, message: string): Violation => ({ kind: 'delivery-missing', id, message });
  const taken = new Set(arrivals.filter(({ answered }) => answered === 200).map(({ eventId }) => eventId));
  const lied = own
    .filter(({ state, eventId }) => state === 'succeeded' && !taken.has(eventId))
    .map(({ id }) => missing(id, `it counts as delivered, and ${endpoint.receiver} never took it`));
  if (!endpoint.isReachable) return lied;
  const lost = own
    .filter(({ eventId, state }) => state !== 'pending' && state !== 'succeeded' && !taken.has(eventId))
    .map(({ id, state }) => missing(id, `it is ${state}, and ${endpoint.receiver} got the event no other way`));
  const owed = own
    .filter(({ missed }) => missed)
    .map(({ id }) => missing(id, `${endpoint.receiver} is well, and the event still counts as missed`));
  return [...lied, ...lost, ...owed];
}

/** Whoever de-duplicates on eventId throws away whatever comes second: so it has to be the same. */
function checkBytes({ receiver, secret }: Endpoint, arrivals: readonly Arrival[]): Violation[] {
  const changed = (id: string, message: string): Violation => ({ kind: 'delivery-changed', id, message });
  const differing = [...groupBy(arrivals, ({ eventId }) => eventId)]
    .filter(([, own]) => new Set(own.map(({ rawBase64 }) => rawBase64)).size > 1)
    .map(([id]) => changed(id, `${receiver} got other bytes the second time`));
  const unsound = arrivals.flatMap(({ eventId, headers, rawBase64 }) =>
    problemsOfWebhook({ path: receiver, headers, rawBase64 }, [secret]).map((problem) => changed(eventId, problem)),
  );
  return [...differing, ...unsound];
}

/** Of a receiver that takes nothing, and that nobody enables again, each event that was given up counts once. */
function checkFailCount(endpoint: Endpoint, own: readonly DeliveryRow[]): Violation[] {
  const wrong = (message: string): Violation => ({ kind: 'fail-count', id: endpoint.id, message });
  const givenUp = own.filter(({ state, purpose }) => state === 'given_up' && purpose === 'event').length;
  const isDue = givenUp >= disableAfter;
  return [
    ...(endpoint.failCount === givenUp ? [] : [wrong(`failCount is ${endpoint.failCount} after ${givenUp} given up`)]),
    ...(endpoint.active === !isDue ? [] : [wrong(`active is ${endpoint.active} after ${givenUp} given up in a row`)]),
  ];
}

/** Deliveries of one endpoint that end at the same time are counted in an order that their log does not tell. */
const orderUnknownMs = 60_000;

/** Of a receiver that is well again: what got through set the count back, and it never has more than was given up. */
function checkResetCount(
  endpoint: Endpoint,
  own: readonly DeliveryRow[],
  attemptsOf: ReadonlyMap<string, Observed['attempts']>,
): Violation[] {
  const { id, failCount } = endpoint;
  const endsOf = (state: string): number[] =>
    own
      .filter((delivery) => delivery.purpose === 'event' && delivery.state === state)
      .map((delivery) => Math.max(0, ...(attemptsOf.get(delivery.id) ?? []).map(({ at }) => at)));
  const [succeeded, givenUp] = [endsOf('succeeded'), endsOf('given_up')];
  const isReset = Math.max(0, ...succeeded) > Math.max(0, ...givenUp) + orderUnknownMs;
  const most = isReset ? 0 : givenUp.length;
  if (failCount <= most) return [];
  return [{ kind: 'fail-count', id, message: `failCount is ${failCount}, and can be ${most} at most` }];
}

/** Specification "Limits". */
const disableAfter = 15;
const attemptsMax = 5;

/** Each attempt has one record, and there are five at most. */
function checkLog(delivery: DeliveryRow, attempts: Observed['attempts']): Violation[] {
  const numbers = attempts.map(({ attempt }) => attempt).toSorted((one, two) => one - two);
  const isInFlight = delivery.state === 'pending' && numbers.length === delivery.attempts - 1;
  const isWhole = numbers.every((number, index) => number === index + 1) && numbers.length <= attemptsMax;
  if (isWhole && (isInFlight || numbers.length === delivery.attempts)) return [];
  const message = `${delivery.attempts} attempts were made, the log has ${numbers.join(', ') || 'none'}`;
  return [{ kind: 'attempt-log', id: delivery.id, message }];
}
