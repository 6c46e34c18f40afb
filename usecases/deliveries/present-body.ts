import { withMemberReference } from '../../core/webhooks/member-reference.ts';
import type { StoreConnection } from '../../store/connection.ts';
import type { Delivery } from '../../store/deliveries.ts';
import { findConnectionOfMember } from '../../store/member-connections.ts';

/** What an event is sent again with: the bytes of its first delivery, a member's under its present reference. */
export async function presentBody(store: StoreConnection, first: Delivery): Promise<Buffer> {
  if (first.scope === 'self' || first.aboutAccountId === first.accountId) return first.body;
  const link = await findConnectionOfMember(store, first.aboutAccountId);
  if (link?.resellerAccountId !== first.accountId) return first.body;
  return Buffer.from(withMemberReference(first.body.toString('utf8'), link.externalId), 'utf8');
}
