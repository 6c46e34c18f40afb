import { listingDefaultsSchema } from '../../schemas/items/listing-terms.ts';
import { analyticsParameters, analyticsSchema } from '../../schemas/partner/analytics.ts';
import {
  begunLoginSchema,
  marketplaceConnectionSchema,
  marketplaceCredentialsSchema,
  marketplaceReturnSchema,
} from '../../schemas/partner/marketplace-connection.ts';
import { invitationListSchema, invitationWishSchema, invitedSchema } from '../../schemas/resellers/invitations.ts';
import {
  joinedSchema,
  joinRequestedSchema,
  joinRequestListSchema,
  joinWishSchema,
  memberConnectionListSchema,
  memberConnectionSchema,
  memberReferenceSchema,
} from '../../schemas/resellers/member-connection.ts';
import { memberListParameters, memberListSchema } from '../../schemas/resellers/member-list.ts';
import {
  membersDeliveryListSchema,
  membersDeliveryParameters,
  membersItemListSchema,
  membersItemParameters,
  membersOrderListSchema,
  membersOrderParameters,
} from '../../schemas/resellers/members-lists.ts';
import { myProfileSchema, publicProfileSchema } from '../../schemas/resellers/profiles.ts';
import { getMembersAnalytics } from '../handlers/reports.ts';
import {
  deleteConnection,
  deleteInvitation,
  deleteMarketplaceConnection,
  getConnections,
  getInvitations,
  getJoinRequests,
  getListingDefaults,
  getMarketplaceConnection,
  getMembers,
  getMembersDeliveries,
  getMembersItems,
  getMembersOrders,
  getMyProfile,
  postConnect,
  postInvitations,
  postMarketplaceLogin,
  postMarketplaceReturn,
  putConnection,
  putListingDefaults,
  putMarketplaceConnection,
  putMyProfile,
} from '../handlers/resellers.ts';
import type { Route } from '../http/route.ts';
import { anyText } from './parameters.ts';

const connection = {
  path: '/partner/marketplace-connection',
  credential: 'jwt',
  tag: 'Marketplace connection',
} as const;

const memberParams = {
  memberUserId: {
    ...anyText("The member's user id", '3f0c5d0e-8a7b-4d53-9a43-6a1c2f5e7b90'),
    component: 'MemberUserId',
  },
};

export const partnerRoutes: readonly Route[] = [
  {
    ...connection,
    name: 'getMarketplaceConnection',
    method: 'get',
    summary: 'Read the connection to the marketplace',
    description:
      '404 while nothing is connected. `expired`: the marketplace takes the token no longer, and what is to be published waits until the account is connected again.',
    answers: { 200: { description: 'The connection, without its token', schema: marketplaceConnectionSchema } },
    refusals: ['NOT_FOUND'],
    handle: getMarketplaceConnection,
  },
  {
    ...connection,
    name: 'connectMarketplace',
    method: 'put',
    summary: 'Connect to the marketplace, or connect again',
    description:
      'What an expired token, or having none, had stopped goes on by itself: a few items at once, some 30 a second, so that a large stock takes minutes. Connecting as another user of the marketplace is refused (409) while auctions of the present one are up or unpaid. The token is tried when it is first used: a wrong one shows as `expired` soon after.',
    request: { schema: marketplaceCredentialsSchema },
    answers: {
      200: {
        description: 'Connected; what an expired token had stopped is retried',
        schema: marketplaceConnectionSchema,
      },
    },
    refusals: ['CONFLICT'],
    handle: putMarketplaceConnection,
  },
  {
    ...connection,
    path: '/partner/marketplace-connection/login',
    name: 'beginMarketplaceLogin',
    method: 'post',
    summary: "Begin a login on the marketplace's own page",
    description:
      'The answer names the page to send the browser to. From there it comes back to the dashboard, which completes the login. 409 where the service has no such login: then user id and token are sent instead.',
    answers: { 200: { description: 'Begun; it can be completed for an hour', schema: begunLoginSchema } },
    refusals: ['CONFLICT'],
    handle: postMarketplaceLogin,
  },
  {
    ...connection,
    path: '/partner/marketplace-connection/login/complete',
    name: 'completeMarketplaceLogin',
    method: 'post',
    summary: 'Complete a login on the marketplace’s own page',
    description:
      'The account is connected as the user that consented, as by a PUT. Only the account that began the login can complete it. 404 when it began none, or more than an hour ago; 409 when the marketplace knows of no consent.',
    request: { schema: marketplaceReturnSchema },
    answers: { 200: { description: 'Connected', schema: marketplaceConnectionSchema } },
    refusals: ['NOT_FOUND', 'CONFLICT', 'UNAVAILABLE'],
    handle: postMarketplaceReturn,
  },
  {
    ...connection,
    name: 'disconnectMarketplace',
    method: 'delete',
    summary: 'Forget the connection to the marketplace',
    description:
      'The token is forgotten at once. Auctions that are up stay up, but the service can no longer change or end them, nor learn how they end; what happened to them is read after the next connection, as the same user. What is to be published meanwhile waits.',
    answers: { 204: { description: 'Nothing is connected' } },
    handle: deleteMarketplaceConnection,
  },
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
    handle: postConnect,
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
    handle: getMyProfile,
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
    handle: putMyProfile,
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
    handle: getConnections,
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
    handle: getMembers,
  },
  {
    ...{ method: 'get', path: '/business/members/items', credential: 'jwt', tag: 'Resellers' },
    name: 'listMembersItems',
    summary: 'List the items of all members',
    description: 'In one list, each with its member. Empty for an account that is no reseller.',
    query: membersItemParameters,
    answers: { 200: { description: 'The last created first', schema: membersItemListSchema } },
    refusals: ['BAD_REQUEST'],
    handle: getMembersItems,
  },
  {
    ...{ method: 'get', path: '/business/members/orders', credential: 'jwt', tag: 'Resellers' },
    name: 'listMembersOrders',
    summary: 'List the orders of all members',
    description: 'Of those members that share their orders, each with its member; without the buyers.',
    query: membersOrderParameters,
    answers: { 200: { description: 'The last recorded first', schema: membersOrderListSchema } },
    refusals: ['BAD_REQUEST'],
    handle: getMembersOrders,
  },
  {
    ...{ method: 'get', path: '/business/members/deliveries', credential: 'jwt', tag: 'Resellers' },
    name: 'listMembersDeliveries',
    summary: 'List the webhook attempts about all members',
    description:
      "Attempts at the caller's own endpoints that were about an item of a member, each with its member; kept for 30 days. What a member's own endpoints get is not among them.",
    query: membersDeliveryParameters,
    answers: { 200: { description: 'The newest first', schema: membersDeliveryListSchema } },
    refusals: ['BAD_REQUEST'],
    handle: getMembersDeliveries,
  },
  {
    ...{ method: 'get', path: '/business/members/analytics', credential: 'jwt', tag: 'Resellers' },
    name: 'getMembersAnalytics',
    summary: 'Read inventory and revenue of all members',
    description:
      'Added up: items of every member, orders and revenue of those members that share their orders. Zero for an account that is no reseller.',
    query: analyticsParameters,
    answers: { 200: { description: 'As of now, to the öre', schema: analyticsSchema } },
    refusals: ['BAD_REQUEST'],
    handle: getMembersAnalytics,
  },
  {
    ...{ method: 'get', path: '/business/join-requests', credential: 'jwt', tag: 'Resellers' },
    name: 'listJoinRequests',
    summary: 'List the accounts that ask to become members',
    description:
      'While `needsApproval` of the profile is true, joining makes a request. `PUT /business/my-profile/connections/{memberUserId}` approves it, `DELETE` declines it; it ends by itself after 30 days.',
    answers: { 200: { description: 'Oldest first', schema: joinRequestListSchema } },
    handle: getJoinRequests,
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
    handle: deleteConnection,
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
    handle: putConnection,
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
    handle: getInvitations,
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
    handle: postInvitations,
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
    handle: deleteInvitation,
  },
];

const defaults = {
  path: '/partner/listing-defaults',
  credential: 'jwt',
  forMembers: true,
  tag: 'Items',
} as const;

/** The terms that an account sets once for all its auctions. */
export const listingRoutes: readonly Route[] = [
  {
    ...defaults,
    method: 'get',
    name: 'getListingDefaults',
    summary: 'Read the terms of the account’s auctions',
    description: 'An item’s own `listing` goes before them, field by field. An empty object: the account has set none.',
    answers: { 200: { description: 'As they were set', schema: listingDefaultsSchema } },
    refusals: ['NOT_FOUND'],
    handle: getListingDefaults,
  },
  {
    ...defaults,
    method: 'put',
    name: 'setListingDefaults',
    summary: 'Set the terms of the account’s auctions',
    description:
      'All at once: what is left out, or null, is as the service has it. They count for auctions that are put up afterwards; what runs keeps its terms.',
    request: { schema: listingDefaultsSchema },
    answers: { 200: { description: 'As they are now', schema: listingDefaultsSchema } },
    refusals: ['NOT_FOUND'],
    handle: putListingDefaults,
  },
];
