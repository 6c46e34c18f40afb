import { isAboutOrder } from '../../core/events/event-types.ts';
import type { AccountId, EndpointId } from '../../core/ids.ts';
import { secretContexts } from '../../core/secret-contexts.ts';
import { withMemberReference, type DeliveryPurpose } from '../../core/webhooks/delivery.ts';
import type { PreparedAttempt, WebhookSender } from '../../gateways/webhook-sender/port.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Encryption } from '../../security/encryption.ts';
import { webhookSignatureHeaders } from '../../security/webhook-signature.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import type { Delivery, DeliveryState } from '../../store/deliveries/deliveries.ts';
import type { DeliveryAttempt } from '../../store/deliveries/delivery-attempts.ts';
import type { Ring } from '../../store/dispatch/doorbell.ts';
import { findConnectionsOfMembers } from '../../store/resellers/member-connections.ts';
import type { Destination } from '../../store/webhooks/webhook-targets.ts';
import type { ReceiverSlots } from './receiver-slots.ts';

type Sent = Pick<Delivery, 'scope' | 'aboutAccountId' | 'accountId' | 'eventType' | 'body'>;

/**
 * What may be sent now: the bytes of each delivery, a member's under its present reference, because the one of before may be
 * another member's by now. null when the owner of the target may no longer be told about the account (protocol 13). A test is
 * about the owner itself. One query for all.
 */
export async function presentBodies(
  store: StoreConnection,
  deliveries: readonly Sent[],
): Promise<(delivery: Sent) => Buffer | null> {
  const members = deliveries.filter(isAboutMember).map(({ aboutAccountId }) => aboutAccountId);
  const links = await findConnectionsOfMembers(store, [...new Set(members)]);
  return (delivery) => {
    if (!isAboutMember(delivery)) return delivery.body;
    const link = links.get(delivery.aboutAccountId);
    if (link?.resellerAccountId !== delivery.accountId) return null;
    if (isAboutOrder(delivery.eventType) && link.sharesOrders !== true) return null;
    const text = delivery.body.toString('utf8');
    const present = withMemberReference(text, link.externalId);
    return present === text ? delivery.body : Buffer.from(present, 'utf8');
  };
}

const isAboutMember = ({ scope, aboutAccountId, accountId }: Sent): boolean =>
  scope === 'members' && aboutAccountId !== accountId;

/** What was set up may have changed since the event: it is looked at again before each attempt (protocol 13). */
export type MayBeSent =
  | { readonly kind: 'send'; readonly destination: Destination; readonly body: Buffer }
  | { readonly kind: 'end'; readonly state: 'held' | 'stopped'; readonly missed: boolean };

export function mayBeSent(delivery: Delivery, destination: Destination | null, body: Buffer | null): MayBeSent {
  const end = (state: 'held' | 'stopped', missed: boolean): MayBeSent => ({ kind: 'end', state, missed });
  // An account-level URL that was taken away may be set again, and its events recovered; a deleted endpoint is gone.
  if (destination === null) return end('stopped', delivery.endpointId === null);
  if (destination.scope !== delivery.scope || body === null) return end('stopped', false);
  if (!destination.active && !mayGoToDisabled.has(delivery.purpose)) return end('held', true);
  return { kind: 'send', destination, body };
}

/** A person asked for these, perhaps to see whether the endpoint can be enabled again. */
const mayGoToDisabled: ReadonlySet<DeliveryPurpose> = new Set(['test', 'redelivery']);

/**
 * The signed request. It is signed with the secret that the target has now: after a rotation the old one is invalid at once, also
 * for retries. `X-Request-Id` lets a receiver's log and ours name the same call.
 */
export function signedAttempt(
  encryption: Encryption,
  { delivery, destination, body }: { delivery: Delivery; destination: Destination; body: Buffer },
  sentAt: Date,
): PreparedAttempt {
  const { eventId, requestId, trace } = delivery;
  const secret = secretOf(encryption, delivery, destination);
  const signature = webhookSignatureHeaders({ secret, id: eventId, sentAt, body });
  const headers = { ...signature, ...(requestId !== undefined && { 'X-Request-Id': requestId }) };
  return { url: destination.url, body, headers, ...(trace !== undefined && { trace }) };
}

/** By what was read of a target: deliveries that one look found it for are signed with one decryption. */
const secrets = new WeakMap<Destination, string>();

function secretOf(encryption: Encryption, { endpointId, accountId }: Delivery, destination: Destination): string {
  const known = secrets.get(destination);
  if (known !== undefined) return known;
  const context =
    endpointId === null ? secretContexts.webhookSettings(accountId) : secretContexts.webhookEndpoint(endpointId);
  const secret = encryption.decrypt(destination.secretEncrypted, context);
  secrets.set(destination, secret);
  return secret;
}

/** What attempts need. One for each worker process: it alone knows the receivers' slots. */
export interface DeliveryContext {
  readonly store: StoreConnection;
  readonly encryption: Encryption;
  readonly sender: WebhookSender;
  readonly slots: ReceiverSlots;
  /** When one of a target's retries has ended, what waits in its line may go on. */
  readonly ring: Ring;
  /** Reservations carry it, so that others find those of a process that has ended. */
  readonly workerId: string;
  readonly logger: Pick<Logger, 'debug' | 'info' | 'warn'>;
  /** Told of what happens, to count it. */
  readonly observer?: DeliveryObserver;
  readonly now: () => Date;
}

/** An attempt whose outcome is stored. */
export interface RecordedAttempt {
  readonly attempt: DeliveryAttempt;
  readonly state: DeliveryState;
  readonly delivery: Delivery;
}

export interface DeliveryObserver {
  readonly attempted: (recorded: RecordedAttempt) => void;
  /** Again when the transaction is made again. */
  readonly endpointChanged: (change: 'warned' | 'disabled') => void;
}

/** What is left of a delivery after an attempt, or instead of one. */
export type DeliveryStep =
  | { readonly kind: 'closed' }
  | { readonly kind: 'wait'; readonly forMs: number; readonly lastError: string };

/** The target of a delivery. */
export interface TargetName {
  readonly target: string;
  readonly accountId: AccountId;
  readonly endpointId: EndpointId | null;
}
