import { isAboutOrder, isSpecified, type EventType } from './event-types.ts';
import {
  deliveryId,
  endpointId,
  type AccountId,
  type DeliveryId,
  type EndpointId,
  type EventId,
} from '../../rules/ids.ts';
import { backoffMs } from '../../rules/backoff.ts';
import type { OutboxEntry } from '../../items/rules/item.ts';

/** Key of a target in ids, logs, indexes and fairness: the endpoint's id, or `account-<id>` for the account-level URL. */
export const targetKeyOf = (target: {
  readonly accountId: AccountId;
  readonly endpointId: EndpointId | null;
}): string => target.endpointId ?? `account-${target.accountId}`;

/** The endpoint in the key of a target; null for the URL of the account. */
export const endpointOfTarget = (target: string, accountId: AccountId): EndpointId | null =>
  target === targetKeyOf({ accountId, endpointId: null }) ? null : endpointId(target);

export interface DeliveryName {
  readonly eventId: EventId;
  readonly target: string;
  /** 1 for the first delivery of the event to the target; redelivery and recovery take the next. */
  readonly ordinal: number;
}

/** Derived, so that the same delivery is never made twice (protocol 12, 14). */
export const deliveryIdOf = ({ eventId, target, ordinal }: DeliveryName): DeliveryId =>
  deliveryId(`dlv_${eventId.slice('evt_'.length)}_${target}_${ordinal}`);

/**
 * One target of events. `account` is the account-level URL: the specified types, scope self, never disabled.
 */
export type WebhookTarget =
  | { readonly kind: 'account'; readonly accountId: AccountId }
  | {
      readonly kind: 'endpoint';
      readonly endpointId: EndpointId;
      readonly accountId: AccountId;
      readonly scope: 'self' | 'members';
      readonly eventTypes: readonly string[];
      readonly active: boolean;
      /** The reseller's reference for the item's account; set for scope members. */
      readonly memberExternalId?: string;
      /** Whether the member shares its orders with the reseller; set for scope members. */
      readonly sharesOrders?: boolean;
    };

export interface OfferedEvent {
  readonly type: EventType;
  /** The account whose own program caused it; undefined: no target is left out for that reason. */
  readonly writtenBy?: AccountId | undefined;
}

/**
 * Whether a target gets the event. It gets none that a key of its own account caused, and none about orders that a member
 * does not share.
 */
export const wantsEvent = (target: WebhookTarget, { type, writtenBy }: OfferedEvent): boolean =>
  writtenBy !== target.accountId &&
  selects(target, type) &&
  (!isAboutOrder(type) || target.kind === 'account' || target.scope === 'self' || target.sharesOrders === true);

/**
 * An empty allow-list, and the account-level URL, mean all specified types; the others have to be named. Source:
 * specification "Endpoint selection".
 */
const selects = (target: WebhookTarget, type: EventType): boolean =>
  target.kind === 'account' || target.eventTypes.length === 0 ? isSpecified(type) : target.eventTypes.includes(type);

/** The JSON a receiver gets. Source: specification "Envelope" and "Account object". */
export interface Envelope {
  readonly eventId: string;
  readonly eventType: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** `memberExternalId` is given only for members-scope deliveries. */
export function buildEnvelope(
  entry: OutboxEntry,
  owner: { accountId: AccountId; memberExternalId?: string | undefined },
): Envelope {
  const account = {
    serviceUserId: owner.accountId,
    ...(owner.memberExternalId !== undefined && { memberExternalId: owner.memberExternalId }),
  };
  return {
    eventId: entry.eventId,
    eventType: entry.type,
    timestamp: entry.occurredAt.toISOString(),
    data: { ...entry.data, account },
  };
}

/**
 * The body of a members-scope delivery with the reseller's present reference for the member. The old reference may belong to
 * another member by now, and the event must not be taken for that member's.
 */
export function withMemberReference(body: string, memberExternalId: string): string {
  const envelope: unknown = JSON.parse(body);
  if (!isObject(envelope) || !isObject(envelope['data']) || !isObject(envelope['data']['account'])) return body;
  const { data } = envelope;
  if (envelope['data']['account']['memberExternalId'] === memberExternalId) return body;
  return JSON.stringify({
    ...envelope,
    data: { ...data, account: { ...envelope['data']['account'], memberExternalId } },
  });
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Source: specification "Delivery and retries" and decisions: five attempts, at 0, 1, 3, 7 and 15 s. */
export const attemptsMax = 5;
export const attemptTimeoutMs = 10_000;
/**
 * So long a begun attempt is its process's alone: ten seconds for the answer, five for writes and clocks. An attempt without a record
 * by then was interrupted.
 */
export const attemptLeaseMs = 15_000;
export const disableAfterFailures = 15;
/** The owner gets a warning at each of these counts. */
export const warnAfterFailures: readonly number[] = [5, 10];

/** Why a delivery exists: a new event, a test, a manual redelivery, or a recovery of a missed event. */
export type DeliveryPurpose = 'event' | 'test' | 'redelivery' | 'recovery';

/** The wait before an attempt, in ms: 0, 1, 2, 4, 8 s. Source: specification "Delivery and retries". */
export const waitBefore = (attempt: number): number => (attempt <= 1 ? 0 : backoffMs(attempt - 1, 1_000, 16_000));

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
