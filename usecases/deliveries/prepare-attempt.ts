import type { DeliveryPurpose } from '../../core/webhooks/retry-schedule.ts';
import type { PreparedAttempt } from '../../gateways/webhook-sender/port.ts';
import type { Delivery, DeliveryStore } from '../../store/deliveries/deliveries.ts';
import type { Destination } from '../../store/webhooks/webhook-targets.ts';
import type { DeliveryDependencies, DeliveryStep } from './delivery-dependencies.ts';

/** `stopped`: nothing is sent, because the record was ended or somebody else is at it. */
export type Prepared =
  | { readonly attempt: PreparedAttempt; readonly delivery: Delivery }
  | { readonly stopped: Extract<DeliveryStep, { kind: 'closed' }> };

export interface PreparingDependencies extends Pick<
  DeliveryDependencies,
  'findDestination' | 'presentBody' | 'sign' | 'now'
> {
  readonly deliveries: Pick<DeliveryStore, 'close' | 'reserve'>;
}

/** Signed first and reserved last, so that what can't be signed costs no attempt. */
export async function prepareAttempt(dependencies: PreparingDependencies, stored: Delivery): Promise<Prepared> {
  const { deliveries, findDestination, presentBody, sign, now } = dependencies;
  const [destination, body] = [await findDestination(stored), await presentBody(stored)];
  const may = mayBeSent(stored, destination, body);
  if (may.kind === 'end') {
    await deliveries.close(stored, { ...may.end, now: now() });
    return { stopped: { kind: 'closed' } };
  }
  const headers = { ...sign(may.destination, { ...stored, body: may.body }, now()), ...causeHeader(stored) };
  const attempt = { url: may.destination.url, body: may.body, headers };
  const delivery = { ...stored, changedBody: may.body === stored.body ? null : may.body };
  return (await deliveries.reserve(delivery, now())) ? { attempt, delivery } : { stopped: { kind: 'closed' } };
}

/** So that a receiver's log and ours name the same call. */
const causeHeader = ({ requestId }: Delivery): Readonly<Record<string, string>> =>
  requestId === undefined ? {} : { 'X-Request-Id': requestId };

type UnsentEnd = Omit<Parameters<DeliveryStore['close']>[1], 'now'>;

type MayBeSent =
  | { readonly kind: 'send'; readonly destination: Destination; readonly body: Buffer }
  | { readonly kind: 'end'; readonly end: UnsentEnd };

/** What was set up may have changed since the event: it is looked at again before each attempt (protocol 13). */
function mayBeSent(delivery: Delivery, destination: Destination | null, body: Buffer | null): MayBeSent {
  const end = (state: 'held' | 'stopped', missed: boolean): MayBeSent => ({ kind: 'end', end: { state, missed } });
  // An account-level URL that was taken away may be set again, and its events recovered; a deleted endpoint is gone.
  if (destination === null) return end('stopped', delivery.endpointId === null);
  if (destination.scope !== delivery.scope || body === null) return end('stopped', false);
  if (!destination.active && !mayGoToDisabled.has(delivery.purpose)) return end('held', true);
  return { kind: 'send', destination, body };
}

/** A person asked for these, perhaps to see whether the endpoint can be enabled again. */
const mayGoToDisabled: ReadonlySet<DeliveryPurpose> = new Set(['test', 'redelivery']);
