import { analyticsParameters, analyticsSchema, readAnalyticsQuery } from '../../schemas/partner/analytics.ts';
import {
  invitationListSchema,
  invitationWishSchema,
  invitedSchema,
  readInvitationWish,
} from '../../schemas/resellers/invitations.ts';
import {
  joinedSchema,
  joinRequestedSchema,
  joinRequestListSchema,
  joinWishSchema,
  memberConnectionListSchema,
  memberConnectionSchema,
  memberReferenceSchema,
  readJoinWish,
  readMemberReference,
} from '../../schemas/resellers/member-connection.ts';
import { memberListParameters, memberListSchema, readMemberListQuery } from '../../schemas/resellers/member-list.ts';
import {
  membersDeliveryListSchema,
  membersDeliveryParameters,
  membersItemListSchema,
  membersItemParameters,
  membersOrderListSchema,
  membersOrderParameters,
  readMembersDeliveryQuery,
  readMembersItemQuery,
  readMembersOrderQuery,
} from '../../schemas/resellers/members-lists.ts';
import {
  myProfileSchema,
  publicProfileSchema,
  readMyProfile as readProfileChange,
} from '../../schemas/resellers/profiles.ts';
import { type Route, ok, noContent, param, type ScopedCall } from '../http/route.ts';
import { anyText } from './parameters.ts';
import { accountId } from '../../features/rules/ids.ts';
import { readQuery } from '../../schemas/query.ts';
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
import { removeMember } from '../../features/resellers/remove-member.ts';
import { changeMyProfile, readMyProfile } from '../../features/resellers/profiles.ts';
import { readMembersAnalytics } from '../../features/partner/analytics.ts';

const memberParams = {
  memberUserId: {
    ...anyText("The member's user id", '3f0c5d0e-8a7b-4d53-9a43-6a1c2f5e7b90'),
    component: 'MemberUserId',
  },
};

export const partnerRoutes: readonly Route[] = [
  {
    method: 'post',
    path: '/p/{slug}/connect',
    name: 'joinReseller',
    credential: 'jwt',
    idempotent: true,
    tag: 'Resellers',
    summary: "Become a reseller's member",
    description: [
      "The account becomes a member and has the deal `sub_account` from then on. The reseller can then act for it with its own API key; account, marketplace connection and payout stay the member's.",
      '',
      'A reseller may approve its members (`needsApproval` of its profile): then the answer is 202, and the account is a member once the reseller approves it. `DELETE /business/my-deal` withdraws the request.',
      '',
      '- 404 `NOT_FOUND`: no such page, or its owner has no reseller agreement or is suspended.',
      '- 409 `ALREADY_CONNECTED`: the account is the member of another reseller.',
      '- 409 `CONFLICT`: it is the reseller itself, or has a paid deal.',
    ].join('\n'),
    params: { slug: anyText("Slug of the reseller's page", 'bildelar-norr') },
    request: { schema: joinWishSchema, isOptional: true },
    answers: {
      201: { description: 'The membership is made', schema: joinedSchema },
      200: { description: 'The account was a member already', schema: joinedSchema },
      202: { description: 'The reseller is asked', schema: joinRequestedSchema },
    },
    refusals: ['NOT_FOUND', 'CONFLICT', 'ALREADY_CONNECTED'],
    handle: async (call: ScopedCall) => {
      const wish = { slug: param(call, 'slug'), ...readJoinWish(call.body) };
      const outcome = await connectMember(call.context, call.scope, wish);
      if (outcome.state === 'asked') return { status: 202, body: outcome.request };
      return { status: outcome.state === 'joined' ? 201 : 200, body: outcome.joined };
    },
  },
  {
    method: 'get',
    path: '/business/my-profile',
    name: 'getMyProfile',
    credential: 'jwt',
    tag: 'Resellers',
    summary: 'Read the own public profile',
    description: "As everybody sees it on the account's page. 404 until the account has made one.",
    answers: { 200: { description: 'As everybody sees it', schema: publicProfileSchema } },
    refusals: ['NOT_FOUND'],
    handle: async ({ scope, query, context }: ScopedCall) => {
      readQuery(query, {});
      return ok(readMyProfile(context, scope));
    },
  },
  {
    method: 'put',
    path: '/business/my-profile',
    name: 'updateMyProfile',
    credential: 'jwt',
    tag: 'Resellers',
    summary: 'Make or change the own public profile',
    description:
      'Any account may have one; only under that of an account with a reseller agreement members can join. Links to a former slug lead nowhere; that of a reseller, also of a former one, is kept for it for 90 days, that of any other account is free at once.',
    request: { schema: myProfileSchema },
    answers: { 200: { description: 'The profile as it is now', schema: publicProfileSchema } },
    refusals: ['CONFLICT'],
    handle: async ({ scope, query, body, context }: ScopedCall) => {
      readQuery(query, {});
      return ok(changeMyProfile(context, scope, readProfileChange(body)));
    },
  },
  {
    method: 'get',
    path: '/business/my-profile/connections',
    name: 'listMembers',
    credential: 'jwt',
    tag: 'Resellers',
    summary: 'List the members of the reseller',
    description:
      'Each with the reference that `X-Partner-Account` takes for it. Members that have left are not among them.',
    answers: { 200: { description: 'Oldest first', schema: memberConnectionListSchema } },
    handle: async ({ scope, context }: ScopedCall) => ({
      status: 200,
      body: { connections: await listMembers(context, scope) },
    }),
  },
  {
    method: 'get',
    path: '/business/members',
    name: 'findMembers',
    credential: 'jwt',
    tag: 'Resellers',
    summary: 'Find members, and see how each fares',
    description:
      'Searched, sorted and in pages: whether the member is connected, how many of its items are blocked, which of its events were missed, and its sales of 30 days. Empty for an account that is no reseller.',
    query: memberListParameters,
    answers: { 200: { description: 'One page of the members', schema: memberListSchema } },
    refusals: ['BAD_REQUEST'],
    handle: async ({ scope, query, context }: ScopedCall) =>
      ok(findMembers(context, scope, readMemberListQuery(query))),
  },
  {
    method: 'get',
    path: '/business/members/items',
    credential: 'jwt',
    tag: 'Resellers',
    name: 'listMembersItems',
    summary: 'List the items of all members',
    description: 'In one list, each with its member. Empty for an account that is no reseller.',
    query: membersItemParameters,
    answers: { 200: { description: 'The last created first', schema: membersItemListSchema } },
    refusals: ['BAD_REQUEST'],
    handle: async ({ scope, query, context }: ScopedCall) =>
      ok(listMembersItems(context, scope, readMembersItemQuery(query))),
  },
  {
    method: 'get',
    path: '/business/members/orders',
    credential: 'jwt',
    tag: 'Resellers',
    name: 'listMembersOrders',
    summary: 'List the orders of all members',
    description: 'Of those members that share their orders, each with its member; without the buyers.',
    query: membersOrderParameters,
    answers: { 200: { description: 'The last recorded first', schema: membersOrderListSchema } },
    refusals: ['BAD_REQUEST'],
    handle: async ({ scope, query, context }: ScopedCall) =>
      ok(listMembersOrders(context, scope, readMembersOrderQuery(query))),
  },
  {
    method: 'get',
    path: '/business/members/deliveries',
    credential: 'jwt',
    tag: 'Resellers',
    name: 'listMembersDeliveries',
    summary: 'List the webhook attempts about all members',
    description:
      "Attempts at the caller's own endpoints that were about an item of a member, each with its member; kept for 30 days. What a member's own endpoints get is not among them.",
    query: membersDeliveryParameters,
    answers: { 200: { description: 'The newest first', schema: membersDeliveryListSchema } },
    refusals: ['BAD_REQUEST'],
    handle: async ({ scope, query, context }: ScopedCall) =>
      ok(listMembersDeliveries(context, scope, readMembersDeliveryQuery(query))),
  },
  {
    method: 'get',
    path: '/business/members/analytics',
    credential: 'jwt',
    tag: 'Resellers',
    name: 'getMembersAnalytics',
    summary: 'Read inventory and revenue of all members',
    description:
      'Added up: items of every member, orders and revenue of those members that share their orders. Zero for an account that is no reseller.',
    query: analyticsParameters,
    answers: { 200: { description: 'As of now, to the öre', schema: analyticsSchema } },
    refusals: ['BAD_REQUEST'],
    handle: async ({ scope, query, context }: ScopedCall) =>
      ok(readMembersAnalytics(context, scope, readAnalyticsQuery(query))),
  },
  {
    method: 'get',
    path: '/business/join-requests',
    credential: 'jwt',
    tag: 'Resellers',
    name: 'listJoinRequests',
    summary: 'List the accounts that ask to become members',
    description:
      'While `needsApproval` of the profile is true, joining makes a request. `PUT /business/my-profile/connections/{memberUserId}` approves it, `DELETE` declines it; it ends by itself after 30 days.',
    answers: { 200: { description: 'Oldest first', schema: joinRequestListSchema } },
    handle: async ({ scope, query, context }: ScopedCall) => {
      readQuery(query, {});
      return { status: 200, body: { requests: await readJoinRequests(context, scope) } };
    },
  },
  {
    method: 'delete',
    path: '/business/my-profile/connections/{memberUserId}',
    name: 'removeMember',
    credential: 'jwt',
    tag: 'Resellers',
    summary: 'End the membership of a member, or decline a request',
    description:
      'The reseller can not act for the account any longer, and its endpoints hear no more of it, at once. What the account has sold until then owes as before. It may join or ask again.',
    params: memberParams,
    answers: { 204: { description: 'The account is no member, and does not ask' } },
    refusals: ['NOT_FOUND'],
    handle: async (call: ScopedCall) =>
      noContent(removeMember(call.context, call.scope, accountId(param(call, 'memberUserId')))),
  },
  {
    method: 'put',
    path: '/business/my-profile/connections/{memberUserId}',
    name: 'renameMember',
    credential: 'jwt',
    tag: 'Resellers',
    summary: "Rename the reseller's reference for a member, or approve a request",
    description: [
      'The new reference counts at once, in `X-Partner-Account` and in what endpoints are told. It is sent as a header, so it has to be printable ASCII without spaces at its ends.',
      'An account that asks to become a member is one from then on, under this reference.',
      '',
      '- 409 `REFERENCE_TAKEN`: another member has it.',
      '- 409 `ALREADY_CONNECTED`, `CONFLICT`: the account that asked is the member of another reseller by now, or has a paid deal.',
    ].join('\n'),
    params: memberParams,
    request: { schema: memberReferenceSchema },
    answers: { 200: { description: 'The member as it is now', schema: memberConnectionSchema } },
    refusals: ['NOT_FOUND', 'REFERENCE_TAKEN', 'ALREADY_CONNECTED', 'CONFLICT'],
    handle: async (call: ScopedCall) => {
      const { externalId } = readMemberReference(call.body);
      const wanted = { memberAccountId: accountId(param(call, 'memberUserId')), externalId };
      return ok(renameMember(call.context, call.scope, wanted));
    },
  },
  {
    method: 'get',
    path: '/business/invitations',
    name: 'listInvitations',
    credential: 'jwt',
    tag: 'Resellers',
    summary: 'List the invitations to become a member',
    description:
      'The newest first, at most 1,000. An invitation goes 30 days after it was last sent. Empty for an account that is no reseller.',
    answers: { 200: { description: 'The invitations', schema: invitationListSchema } },
    handle: async ({ scope, query, context }: ScopedCall) => {
      readQuery(query, {});
      return { status: 200, body: { invitations: await readInvitations(context, scope) } };
    },
  },
  {
    method: 'post',
    path: '/business/invitations',
    name: 'inviteMembers',
    credential: 'jwt',
    tag: 'Resellers',
    summary: 'Invite members by email',
    description: [
      "Each address gets a mail with a link to the reseller's page. The member that joins by the link has the reference that is given here, unless another member has it by then. An address gets at most one mail a day from a reseller; to invite it again later sends another.",
      '',
      '- 403 `RESELLER_AGREEMENT_REQUIRED`: the account is no reseller.',
      '- 409 `CONFLICT`: the account has no page yet, or has not confirmed its own email address.',
      '- 429 `RATE_LIMITED`: more than 500 a day.',
    ].join('\n'),
    request: { schema: invitationWishSchema },
    answers: { 200: { description: 'How many mails are on their way', schema: invitedSchema } },
    refusals: ['RESELLER_AGREEMENT_REQUIRED', 'CONFLICT', 'UNAVAILABLE'],
    handle: async ({ scope, query, body, context }: ScopedCall) => {
      readQuery(query, {});
      return ok(inviteMembers(context, scope, readInvitationWish(body)));
    },
  },
  {
    method: 'delete',
    path: '/business/invitations/{invitationId}',
    name: 'withdrawInvitation',
    credential: 'jwt',
    tag: 'Resellers',
    summary: 'Withdraw an invitation',
    description: 'Its link stops working. Who has joined by it stays a member.',
    params: { invitationId: anyText("The invitation's id", '3f0c5d0e-8a7b-4d53-9a43-6a1c2f5e7b90') },
    answers: { 204: { description: 'Withdrawn' } },
    refusals: ['NOT_FOUND'],
    handle: async (call: ScopedCall) =>
      noContent(withdrawInvitation(call.context, call.scope, param(call, 'invitationId'))),
  },
];
