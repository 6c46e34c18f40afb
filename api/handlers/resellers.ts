import { accountId } from '../../features/rules/ids.ts';
import { readListingDefaults as readBody } from '../../schemas/items/listing-terms.ts';
import { readMarketplaceCredentials, readMarketplaceReturn } from '../../schemas/partner/marketplace-connection.ts';
import { readQuery } from '../../schemas/query.ts';
import { readInvitationWish } from '../../schemas/resellers/invitations.ts';
import { readJoinWish, readMemberReference, readOrderSharing } from '../../schemas/resellers/member-connection.ts';
import { readMemberListQuery } from '../../schemas/resellers/member-list.ts';
import {
  readMembersDeliveryQuery,
  readMembersItemQuery,
  readMembersOrderQuery,
} from '../../schemas/resellers/members-lists.ts';
import { readCommissionConfirmation, readMyProfile as readProfileChange } from '../../schemas/resellers/profiles.ts';
import {
  changeListingDefaults,
  readListingDefaults,
  readMarketplaceConnection,
  removeMarketplaceConnection,
  setMarketplaceConnection,
} from '../../features/listings/marketplace-connection.ts';
import { beginMarketplaceLogin, completeMarketplaceLogin } from '../../features/listings/marketplace-login.ts';
import { connectMember } from '../../features/resellers/connect-member.ts';
import { inviteMembers, readInvitations, withdrawInvitation } from '../../features/resellers/invitations.ts';
import { readJoinRequests } from '../../features/resellers/join-requests.ts';
import { findMembers } from '../../features/resellers/list-members.ts';
import {
  listMembersDeliveries,
  listMembersItems,
  listMembersOrders,
} from '../../features/resellers/lists-of-members.ts';
import { listMembers } from '../../features/resellers/members.ts';
import { renameMember } from '../../features/resellers/rename-member.ts';
import { shareOrders } from '../../features/resellers/share-orders.ts';
import { removeMember } from '../../features/resellers/remove-member.ts';
import { disconnectMember } from '../../features/resellers/leave-reseller.ts';
import { changeMyProfile, readMyProfile, readPublicProfile } from '../../features/resellers/profiles.ts';
import { confirmCommission, readMyDeal } from '../../features/resellers/read-my-deal.ts';
import { param, type Answer, type Call, type ScopedCall } from '../http/route.ts';

/** `GET /public/profiles/{slug}`: 200 with the profile; needs no credential. */
export async function getPublicProfile(call: Call): Promise<Answer> {
  return { status: 200, body: await readPublicProfile(call.context, param(call, 'slug')) };
}

/** `POST /p/{slug}/connect`: 201 for a new member, 200 for one that had joined before, 202 for one that waits for approval. */
export async function postConnect(call: ScopedCall): Promise<Answer> {
  const wish = { slug: param(call, 'slug'), ...readJoinWish(call.body) };
  const outcome = await connectMember(call.context, call.scope, wish);
  if (outcome.state === 'asked') return { status: 202, body: outcome.request };
  return { status: outcome.state === 'joined' ? 201 : 200, body: outcome.joined };
}

/** `GET /business/my-deal`: 200 with the deal in force. */
export async function getMyDeal({ scope, query, context }: ScopedCall): Promise<Answer> {
  readQuery(query, {});
  return { status: 200, body: await readMyDeal(context, scope) };
}

/** `PATCH /business/my-deal`: 200 with the deal; sharing of orders is on or off. */
export async function patchMyDeal({ scope, query, body, context }: ScopedCall): Promise<Answer> {
  readQuery(query, {});
  await shareOrders(context, scope, readOrderSharing(body));
  return { status: 200, body: await readMyDeal(context, scope) };
}

/** `POST /business/my-deal/confirmations`: 200 with the deal; what waited of a member is owed. */
export async function postConfirmation({ scope, query, body, context }: ScopedCall): Promise<Answer> {
  readQuery(query, {});
  await confirmCommission(context, scope, readCommissionConfirmation(body));
  return { status: 200, body: await readMyDeal(context, scope) };
}

/** `DELETE /business/my-deal`: 204; the account has left its reseller. */
export async function deleteMyDeal({ scope, context }: ScopedCall): Promise<Answer> {
  await disconnectMember(context, scope);
  return { status: 204 };
}

/** `GET /business/my-profile`: 200; 404 while the account has none. */
export async function getMyProfile({ scope, query, context }: ScopedCall): Promise<Answer> {
  readQuery(query, {});
  return { status: 200, body: await readMyProfile(context, scope) };
}

/** `PUT /business/my-profile`: 200 with the stored profile. */
export async function putMyProfile({ scope, query, body, context }: ScopedCall): Promise<Answer> {
  readQuery(query, {});
  return { status: 200, body: await changeMyProfile(context, scope, readProfileChange(body)) };
}

/** `GET /business/my-profile/connections`: 200 with all members, oldest first. */
export async function getConnections({ scope, context }: ScopedCall): Promise<Answer> {
  return { status: 200, body: { connections: await listMembers(context, scope) } };
}

/** `GET /business/members/items`: 200 with a page of all members' items, newest first. */
export async function getMembersItems({ scope, query, context }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await listMembersItems(context, scope, readMembersItemQuery(query)) };
}

/** `GET /business/members/orders`: 200 with a page of the orders that members share, newest first. */
export async function getMembersOrders({ scope, query, context }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await listMembersOrders(context, scope, readMembersOrderQuery(query)) };
}

/** `GET /business/members/deliveries`: 200 with a page of the attempts about all members. */
export async function getMembersDeliveries({ scope, query, context }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await listMembersDeliveries(context, scope, readMembersDeliveryQuery(query)) };
}

/** `GET /business/members`: 200 with a page of the members and their state. */
export async function getMembers({ scope, query, context }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await findMembers(context, scope, readMemberListQuery(query)) };
}

/** `GET /business/join-requests`: 200 with the accounts that ask to become members, oldest first. */
export async function getJoinRequests({ scope, query, context }: ScopedCall): Promise<Answer> {
  readQuery(query, {});
  return { status: 200, body: { requests: await readJoinRequests(context, scope) } };
}

/** `DELETE /business/my-profile/connections/{memberUserId}`: 204; it is no member any more, or its request is declined. */
export async function deleteConnection(call: ScopedCall): Promise<Answer> {
  await removeMember(call.context, call.scope, accountId(param(call, 'memberUserId')));
  return { status: 204 };
}

/** `PUT /business/my-profile/connections/{memberUserId}`: 200 with the member under its new reference. */
export async function putConnection(call: ScopedCall): Promise<Answer> {
  const { externalId } = readMemberReference(call.body);
  const wanted = { memberAccountId: accountId(param(call, 'memberUserId')), externalId };
  return { status: 200, body: await renameMember(call.context, call.scope, wanted) };
}

/** `GET /business/invitations`: 200 with the invitations, newest first. */
export async function getInvitations({ scope, query, context }: ScopedCall): Promise<Answer> {
  readQuery(query, {});
  return { status: 200, body: { invitations: await readInvitations(context, scope) } };
}

/** `POST /business/invitations`: 200 with the result for each address; the mails are sent in the background. */
export async function postInvitations({ scope, query, body, context }: ScopedCall): Promise<Answer> {
  readQuery(query, {});
  return { status: 200, body: await inviteMembers(context, scope, readInvitationWish(body)) };
}

/** `DELETE /business/invitations/{invitationId}`: 204; its links no longer work. */
export async function deleteInvitation(call: ScopedCall): Promise<Answer> {
  await withdrawInvitation(call.context, call.scope, param(call, 'invitationId'));
  return { status: 204 };
}

/** `GET /partner/marketplace-connection`: 200 without the token; 404 while the account has none. */
export async function getMarketplaceConnection({ scope, context }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await readMarketplaceConnection(context, scope) };
}

/** `PUT /partner/marketplace-connection`: 200 with the new connection. */
export async function putMarketplaceConnection({ scope, body, context }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await setMarketplaceConnection(context, scope, readMarketplaceCredentials(body)) };
}

/** `POST /partner/marketplace-connection/login`: 200 with the marketplace's page. */
export async function postMarketplaceLogin({ scope, context }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await beginMarketplaceLogin(context, scope) };
}

/** `POST /partner/marketplace-connection/login/complete`: 200 with the new connection. */
export async function postMarketplaceReturn({ scope, body, context }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await completeMarketplaceLogin(context, scope, readMarketplaceReturn(body)) };
}

/** `DELETE /partner/marketplace-connection`: 204, also without a connection. */
export async function deleteMarketplaceConnection({ scope, context }: ScopedCall): Promise<Answer> {
  await removeMarketplaceConnection(context, scope);
  return { status: 204 };
}

/** `GET /partner/listing-defaults`: 200 with the terms; `{}` when none are set. */
export async function getListingDefaults({ context, scope }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await readListingDefaults(context, scope) };
}

/** `PUT /partner/listing-defaults`: 200; replaces all terms. */
export async function putListingDefaults({ context, scope, body }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await changeListingDefaults(context, scope, readBody(body)) };
}
