import type { StoreConnection } from '../../store/connection.ts';
import type { Delivery } from '../../store/deliveries.ts';
import { findConnectionOfMember } from '../../store/member-connections.ts';

/** Whether the owner of the target may still be told about the account (protocol 13). A test is about the owner itself. */
export async function isStillLinked(
  store: StoreConnection,
  { scope, aboutAccountId, accountId }: Pick<Delivery, 'scope' | 'aboutAccountId' | 'accountId'>,
): Promise<boolean> {
  if (scope === 'self' || aboutAccountId === accountId) return true;
  return (await findConnectionOfMember(store, aboutAccountId))?.resellerAccountId === accountId;
}
