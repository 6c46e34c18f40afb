import type { AccountId } from '../ids.ts';
import type { OutboxEntry } from '../items/item.ts';

/** The JSON a receiver gets. Source: specification "Envelope" and "Account object". */
export interface Envelope {
  readonly eventId: string;
  readonly eventType: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** `memberExternalId` is given only for members-scope deliveries. */
export function buildEnvelope(
  entry: Omit<OutboxEntry, 'acceptedAt'>,
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
