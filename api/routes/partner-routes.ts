import {
  marketplaceConnectionSchema,
  marketplaceCredentialsSchema,
} from '../../schemas/partner/marketplace-connection.ts';
import {
  joinedSchema,
  memberConnectionListSchema,
  memberConnectionSchema,
  joinWishSchema,
  memberReferenceSchema,
  orderSharingSchema,
} from '../../schemas/resellers/member-connection.ts';
import { invitationListSchema, invitationWishSchema, invitedSchema } from '../../schemas/resellers/invitations.ts';
import { memberListParameters, memberListSchema } from '../../schemas/resellers/member-list.ts';
import { myDealSchema } from '../../schemas/resellers/my-deal.ts';
import { myProfileSchema } from '../../schemas/resellers/my-profile.ts';
import { publicProfileSchema } from '../../schemas/resellers/public-profile.ts';
import type { Route } from '../http/route.ts';
import { anyText } from './path-parameters.ts';
import {
  deleteMarketplaceConnection,
  getMarketplaceConnection,
  putMarketplaceConnection,
} from '../handlers/marketplace-connection.ts';
import {
  deleteInvitation,
  deleteMyDeal,
  getConnections,
  getInvitations,
  getMembers,
  getMyDeal,
  getMyProfile,
  patchMyDeal,
  postConnect,
  postInvitations,
  putConnection,
  putMyProfile,
} from '../handlers/resellers.ts';

const connection = {
  path: '/partner/marketplace-connection',
  credential: 'jwt',
  tag: 'Marketplace connection',
} as const;

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
      '- 404 `NOT_FOUND`: no such page, or its owner has no reseller agreement.',
      '- 409 `ALREADY_CONNECTED`: the account is the member of another reseller.',
      '- 409 `CONFLICT`: it is the reseller itself, or has a paid deal.',
    ].join('\n'),
    params: { slug: anyText("Slug of the reseller's page", 'bildelar-norr') },
    request: { schema: joinWishSchema, isOptional: true },
    answers: {
      201: { description: 'The membership is made', schema: joinedSchema },
      200: { description: 'The account was a member already', schema: joinedSchema },
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
      'Any account may have one; only under that of an account with a reseller agreement members can join. A former slug is free at once, and links to it lead nowhere.',
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
    method: 'put',
    path: '/business/my-profile/connections/{memberUserId}',
    name: 'renameMember',
    credential: 'jwt',
    tag: 'Resellers',
    summary: "Rename the reseller's reference for a member",
    description: [
      'The new reference counts at once, in `X-Partner-Account` and in what endpoints are told. It is sent as a header, so it has to be printable ASCII without spaces at its ends.',
      '',
      '- 409 `REFERENCE_TAKEN`: another member has it.',
    ].join('\n'),
    params: { memberUserId: anyText("The member's user id", '3f0c5d0e-8a7b-4d53-9a43-6a1c2f5e7b90') },
    request: { schema: memberReferenceSchema },
    answers: { 200: { description: 'The member as it is now', schema: memberConnectionSchema } },
    refusals: ['NOT_FOUND', 'REFERENCE_TAKEN'],
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
  {
    method: 'get',
    path: '/business/my-deal',
    name: 'getMyDeal',
    credential: 'jwt',
    tag: 'Resellers',
    summary: 'Read the deal in force, and what a reseller owes',
    description:
      "The default deal, that of a reseller's member, or a reseller's agreement. A reseller also reads what it owes: the commission on all completed sales of its members.",
    answers: { 200: { description: 'Money in SEK', schema: myDealSchema } },
    handle: getMyDeal,
  },
  {
    method: 'patch',
    path: '/business/my-deal',
    name: 'changeOrderSharing',
    credential: 'jwt',
    tag: 'Resellers',
    summary: 'Share the orders with the reseller, or no longer',
    description: [
      "Only while a member shares them, its reseller's key reads and changes its orders, reads their buyers, and its endpoints hear of `order.*`. It counts at once, and both logs have it.",
      '',
      '- 409 `CONFLICT`: the account is no member of a reseller.',
    ].join('\n'),
    request: { schema: orderSharingSchema },
    answers: { 200: { description: 'The deal as it is now', schema: myDealSchema } },
    refusals: ['CONFLICT'],
    handle: patchMyDeal,
  },
  {
    method: 'delete',
    path: '/business/my-deal',
    name: 'leaveReseller',
    credential: 'jwt',
    tag: 'Resellers',
    summary: 'Leave the reseller',
    description:
      'The reseller can not act for the account any longer, at once. Items and the marketplace connection stay as they are, and a paid deal is never touched. Called again it changes nothing.',
    answers: { 204: { description: 'The account has the default deal, or keeps its paid one' } },
    handle: deleteMyDeal,
  },
];
