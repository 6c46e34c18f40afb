import { isAboutOrder } from './rules/event-types.ts';
import { secretContexts } from '../rules/secret-contexts.ts';
import type { DeliveryPurpose } from './rules/delivery.ts';
import { withMemberReference } from './rules/envelope.ts';
import type { AttemptOutcome, PreparedAttempt, WebhookSender } from '../../gateways/webhook-sender/port.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Encryption } from '../../platform/security/encryption.ts';
import { webhookSignatureHeaders } from './signature.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import type { Delivery } from './store/deliveries.ts';
import type { DeliveryAttempt } from './store/delivery-attempts.ts';
import type { OwedDelivery, TargetKey } from './store/waiting-deliveries.ts';
import { findConnectionsOfMembers } from '../resellers/store/member-connections.ts';
import type { Destination } from './store/webhook-targets.ts';
import type { ReceiverSlots } from './receiver-slots.ts';

type Sent = Pick<Delivery, 'scope' | 'aboutAccountId' | 'accountId' | 'eventType' | 'body'>;

/**
 * The bytes to send now for each delivery. A member's has its present reference, because another member may have the former one
 * now. null when the owner of the target has no right to events of the account any more (protocol 12). A test is about the
 * owner itself. One query for all.
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

export const isAboutMember = ({ scope, aboutAccountId, accountId }: Omit<Sent, 'body' | 'eventType'>): boolean =>
  scope === 'members' && aboutAccountId !== accountId;

/**
 * Endpoint and membership may have changed since the event, so they are checked again before each attempt (protocol
 * 12).
 */
export type MayBeSent =
  | { readonly kind: 'send'; readonly destination: Destination; readonly body: Buffer }
  | { readonly kind: 'end'; readonly state: 'held' | 'stopped'; readonly missed: boolean };

/** Whether the delivery may be sent now, and why not. `destination` null: the target is gone. */
export function mayBeSent(delivery: Delivery, destination: Destination | null, body: Buffer | null): MayBeSent {
  const end = (state: 'held' | 'stopped', missed: boolean): MayBeSent => ({ kind: 'end', state, missed });
  // A removed account-level URL may be set again and its events recovered; a deleted endpoint is gone for good.
  if (destination === null) return end('stopped', delivery.endpointId === null);
  if (destination.scope !== delivery.scope || body === null) return end('stopped', false);
  if (!destination.active && !mayGoToDisabled.has(delivery.purpose)) return end('held', true);
  return { kind: 'send', destination, body };
}

/** A person asked for these, perhaps to see whether the endpoint can be enabled again. */
const mayGoToDisabled: ReadonlySet<DeliveryPurpose> = new Set(['test', 'redelivery']);

/**
 * The signed request. It uses the target's present secret, so after a rotation the old one is invalid at once, also for
 * retries. `X-Request-Id` lets a receiver's log and ours name the same call.
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

/** Decrypted secrets by destination, so that deliveries of one read need one decryption. */
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

/** Starts of workflows after a commit. Hints: a relay starts what was not started. */
export interface DeliveryStarts {
  readonly deliverySoon: (delivery: OwedDelivery) => void;
  readonly receiverSoon: (target: TargetKey) => void;
  readonly wakeReceiver: (target: TargetKey) => void;
}

/** The dependencies of attempts. One for each process, which alone knows the receivers' slots. */
export interface DeliveryContext {
  readonly store: StoreConnection;
  readonly encryption: Encryption;
  readonly sender: WebhookSender;
  readonly slots: ReceiverSlots;
  readonly outcomes: OutcomeStore;
  readonly starts: DeliveryStarts;
  readonly logger: Pick<Logger, 'debug' | 'info' | 'warn'>;
  /** Counts what happens. */
  readonly observer?: DeliveryObserver;
  readonly now: () => Date;
}

export interface DeliveryObserver {
  /** The outcome of an attempt is stored. */
  readonly attempted: (attempt: DeliveryAttempt) => void;
  /** A delivery has ended by an attempt, or because the last one failed. */
  readonly ended: (delivery: Delivery, end: { readonly state: 'succeeded' | 'given_up'; readonly at: Date }) => void;
  /** Called once more when the transaction is repeated. */
  readonly endpointChanged: (change: 'warned' | 'disabled') => void;
}

/** An attempt that was made; its delivery already counts it. */
export interface MadeAttempt {
  readonly delivery: Delivery;
  readonly outcome: AttemptOutcome;
  /** Absent where another process sent it. */
  readonly sent?: PreparedAttempt;
  /** As it was before the attempt; null: it is gone. */
  readonly destination: Pick<Destination, 'failCount' | 'queue' | 'isProven'> | null;
}

export type FailedAttempt = MadeAttempt & { readonly outcome: Extract<AttemptOutcome, { kind: 'failed' }> };

/** Stores what became of attempts. */
export interface OutcomeStore {
  /** A short outage of the database is waited for. */
  record(made: MadeAttempt): Promise<AttemptResult>;
  /** Closes a delivery whose attempts have failed, and counts it. */
  giveUp(made: FailedAttempt): Promise<void>;
  /** The delivery was begun and not sent: it waits again. */
  giveBack(delivery: Delivery): Promise<void>;
}

/** `failed`: the next attempt is `delivery:<id>`'s, or the failure is counted after the last one. */
export type AttemptResult = 'closed' | 'failed';
