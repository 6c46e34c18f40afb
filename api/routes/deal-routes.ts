import { orderSharingSchema, readOrderSharing } from '../../schemas/resellers/member-connection.ts';
import {
  commissionConfirmationSchema,
  myDealSchema,
  readCommissionConfirmation,
} from '../../schemas/resellers/profiles.ts';
import { type Route, ok, noContent, type ScopedCall } from '../http/route.ts';
import { readQuery } from '../../schemas/query.ts';
import { shareOrders } from '../../features/resellers/share-orders.ts';
import { disconnectMember } from '../../features/resellers/leave-reseller.ts';
import { confirmCommission, readMyDeal } from '../../features/resellers/read-my-deal.ts';

/** The deal of an account, as a member or as a reseller. */
export const dealRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/business/my-deal',
    name: 'getMyDeal',
    credential: 'jwt',
    tag: 'Resellers',
    summary: 'Read the deal in force, and what a reseller owes',
    description:
      "The default deal, that of a reseller's member, or a reseller's agreement. A reseller also reads what it owes: the commission on all completed sales of its members. Direct sales of a member above `directSalesMax` in a month wait for its confirmation.",
    answers: { 200: { description: 'Money in SEK', schema: myDealSchema } },
    handle: async ({ scope, query, context }: ScopedCall) => {
      readQuery(query, {});
      return ok(readMyDeal(context, scope));
    },
  },
  {
    method: 'post',
    path: '/business/my-deal/confirmations',
    // Sent again, it could confirm another order of the same amount that has come to wait meanwhile.
    idempotent: true,
    name: 'confirmCommission',
    credential: 'jwt',
    tag: 'Resellers',
    summary: 'Confirm the direct sales of a member that wait',
    description: [
      'Their commission is owed from then on. All orders of the member that wait are confirmed, if they are still those that the call names by number and sum.',
      '',
      '- 409 `CONFLICT`: other orders wait by now, or none; read the deal again.',
    ].join('\n'),
    request: { schema: commissionConfirmationSchema },
    answers: { 200: { description: 'The deal as it is now', schema: myDealSchema } },
    refusals: ['CONFLICT'],
    handle: async ({ scope, query, body, context }: ScopedCall) => {
      readQuery(query, {});
      await confirmCommission(context, scope, readCommissionConfirmation(body));
      return ok(readMyDeal(context, scope));
    },
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
    handle: async ({ scope, query, body, context }: ScopedCall) => {
      readQuery(query, {});
      await shareOrders(context, scope, readOrderSharing(body));
      return ok(readMyDeal(context, scope));
    },
  },
  {
    method: 'delete',
    path: '/business/my-deal',
    name: 'leaveReseller',
    credential: 'jwt',
    tag: 'Resellers',
    summary: 'Leave the reseller, or withdraw the request to join one',
    description:
      'The reseller can not act for the account any longer, at once. Items and the marketplace connection stay as they are, and a paid deal is never touched. A request that waits for approval ends. Called again it changes nothing.',
    answers: { 204: { description: 'The account has the default deal, or keeps its paid one' } },
    handle: async ({ scope, context }: ScopedCall) => noContent(disconnectMember(context, scope)),
  },
];
