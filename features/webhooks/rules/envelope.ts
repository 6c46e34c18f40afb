import type { AccountId } from '../../rules/ids.ts';
import type { OutboxEntry } from '../../items/rules/item.ts';

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
