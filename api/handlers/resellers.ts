import { accountId } from '../../core/ids.ts';
import { readListingDefaults as readBody } from '../../schemas/items/listing-terms.ts';
import { readMarketplaceCredentials } from '../../schemas/partner/marketplace-connection.ts';
import { readQuery } from '../../schemas/query.ts';
import { readInvitationWish } from '../../schemas/resellers/invitations.ts';
import { readJoinWish, readMemberReference, readOrderSharing } from '../../schemas/resellers/member-connection.ts';
import { readMemberListQuery } from '../../schemas/resellers/member-list.ts';
import { readMembersItemQuery, readMembersOrderQuery } from '../../schemas/resellers/members-lists.ts';
import { readMyProfile as readProfileChange } from '../../schemas/resellers/profiles.ts';
import {
  changeListingDefaults,
  readListingDefaults,
  readMarketplaceConnection,
  removeMarketplaceConnection,
  setMarketplaceConnection,
} from '../../usecases/marketplace-connection/marketplace-connection.ts';
import { connectMember } from '../../usecases/resellers/connect-member.ts';
import { inviteMembers, readInvitations, withdrawInvitation } from '../../usecases/resellers/invitations.ts';
import { findMembers } from '../../usecases/resellers/list-members.ts';
import { listMembersItems, listMembersOrders } from '../../usecases/resellers/lists-of-members.ts';
import { disconnectMember, listMembers, renameMember, shareOrders } from '../../usecases/resellers/members.ts';
import { changeMyProfile, readMyProfile, readPublicProfile } from '../../usecases/resellers/profiles.ts';
import { readMyDeal } from '../../usecases/resellers/read-my-deal.ts';
import { param, type Answer, type Call, type ScopedCall } from '../http/route.ts';

export async function getPublicProfile(call: Call): Promise<Answer> {
  return { status: 200, body: await readPublicProfile(call.context, param(call, 'slug')) };
}

export async function postConnect(call: ScopedCall): Promise<Answer> {
  const { isNew, joined } = await connectMember(call.context, call.scope, {
    slug: param(call, 'slug'),
    ...readJoinWish(call.body),
  });
  return { status: isNew ? 201 : 200, body: joined };
}

export async function getMyDeal({ scope, query, context }: ScopedCall): Promise<Answer> {
  readQuery(query, {});
  return { status: 200, body: await readMyDeal(context, scope) };
}

export async function patchMyDeal({ scope, query, body, context }: ScopedCall): Promise<Answer> {
  readQuery(query, {});
  await shareOrders(context, scope, readOrderSharing(body));
  return { status: 200, body: await readMyDeal(context, scope) };
}

export async function deleteMyDeal({ scope, context }: ScopedCall): Promise<Answer> {
  await disconnectMember(context, scope);
  return { status: 204 };
}

export async function getMyProfile({ scope, query, context }: ScopedCall): Promise<Answer> {
  readQuery(query, {});
  return { status: 200, body: await readMyProfile(context, scope) };
}

export async function putMyProfile({ scope, query, body, context }: ScopedCall): Promise<Answer> {
  readQuery(query, {});
  return { status: 200, body: await changeMyProfile(context, scope, readProfileChange(body)) };
}

export async function getConnections({ scope, context }: ScopedCall): Promise<Answer> {
  return { status: 200, body: { connections: await listMembers(context, scope) } };
}

export async function getMembersItems({ scope, query, context }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await listMembersItems(context, scope, readMembersItemQuery(query)) };
}

export async function getMembersOrders({ scope, query, context }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await listMembersOrders(context, scope, readMembersOrderQuery(query)) };
}

/** A page of the members, and how each fares. */
export async function getMembers({ scope, query, context }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await findMembers(context, scope, readMemberListQuery(query)) };
}

export async function putConnection(call: ScopedCall): Promise<Answer> {
  const { externalId } = readMemberReference(call.body);
  const wanted = { memberAccountId: accountId(param(call, 'memberUserId')), externalId };
  return { status: 200, body: await renameMember(call.context, call.scope, wanted) };
}

export async function getInvitations({ scope, query, context }: ScopedCall): Promise<Answer> {
  readQuery(query, {});
  return { status: 200, body: { invitations: await readInvitations(context, scope) } };
}

export async function postInvitations({ scope, query, body, context }: ScopedCall): Promise<Answer> {
  readQuery(query, {});
  return { status: 200, body: await inviteMembers(context, scope, readInvitationWish(body)) };
}

export async function deleteInvitation(call: ScopedCall): Promise<Answer> {
  await withdrawInvitation(call.context, call.scope, param(call, 'invitationId'));
  return { status: 204 };
}

export async function getMarketplaceConnection({ scope, context }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await readMarketplaceConnection(context, scope) };
}

export async function putMarketplaceConnection({ scope, body, context }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await setMarketplaceConnection(context, scope, readMarketplaceCredentials(body)) };
}

export async function deleteMarketplaceConnection({ scope, context }: ScopedCall): Promise<Answer> {
  await removeMarketplaceConnection(context, scope);
  return { status: 204 };
}

export async function getListingDefaults({ context, scope }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await readListingDefaults(context, scope) };
}

export async function putListingDefaults({ context, scope, body }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await changeListingDefaults(context, scope, readBody(body)) };
}
