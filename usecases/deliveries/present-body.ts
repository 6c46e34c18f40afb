import { withMemberReference } from '../../core/webhooks/member-reference.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import type { Delivery } from '../../store/deliveries/deliveries.ts';
import { findConnectionOfMember } from '../../store/resellers/member-connections.ts';

type Sent = Pick<Delivery, 'scope' | 'aboutAccountId' | 'accountId' | 'body'>;

/**
 * What may be sent now: the bytes of the delivery, a member's under its present reference, because the one of before may be
 * another member's by now. null when the owner of the target may no longer be told about the account (protocol 13). A test is
 * about the owner itself.
 */
export async function presentBody(
  store: StoreConnection,
  { scope, aboutAccountId, accountId, body }: Sent,
): Promise<Buffer | null> {
  if (scope === 'self' || aboutAccountId === accountId) return body;
  const link = await findConnectionOfMember(store, aboutAccountId);
  if (link?.resellerAccountId !== accountId) return null;
  const text = body.toString('utf8');
  const present = withMemberReference(text, link.externalId);
  return present === text ? body : Buffer.from(present, 'utf8');
}
