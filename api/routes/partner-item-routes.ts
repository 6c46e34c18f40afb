import { partnerItemSchema } from '../../schemas/items/item-full.ts';
import type { Route } from '../http/route.ts';
import { getPartnerItem, postRetry } from '../handlers/items.ts';
import { changed, checked, itemOperations, itemWrite } from './item-operations.ts';
import { itemHeaders, itemParams } from './parameters.ts';

/** A session; a reseller's session may act for a member. */
const bySession = { credential: 'jwt', forMembers: true, tag: 'Items' } as const;
const read = { ...bySession, method: 'get', params: itemParams } as const;
const write = { ...itemWrite, ...bySession } as const;

/** Item routes for the dashboard: those of `/integration/v1/items` that it needs, with the same handlers. */
export const partnerItemRoutes: readonly Route[] = [
  {
    ...bySession,
    method: 'get',
    path: '/partner/items',
    name: 'listPartnerItems',
    ...itemOperations.list,
    refusals: ['BAD_REQUEST', 'NOT_FOUND'],
  },
  {
    ...read,
    path: '/partner/items/{external_id}',
    name: 'getPartnerItem',
    summary: 'Read all of an item',
    description:
      'Every field, as `view=full` gives them to an API key, and what the dashboard shows beside them: since when the work has been stuck, when it is tried again by itself, and whether `retry` would change anything.',
    answers: { 200: { description: 'Where the item stands', schema: partnerItemSchema, headers: itemHeaders } },
    refusals: ['BAD_REQUEST', 'NOT_FOUND'],
    handle: getPartnerItem,
  },
  {
    ...read,
    path: '/partner/items/{external_id}/timeline',
    name: 'getPartnerItemTimeline',
    ...itemOperations.timeline,
  },
  {
    ...write,
    method: 'post',
    path: '/partner/items/{external_id}/publish',
    name: 'publishPartnerItem',
    ...itemOperations.publish,
  },
  {
    ...write,
    method: 'post',
    path: '/partner/items/{external_id}/retry',
    idempotent: true,
    name: 'retryPartnerItem',
    summary: 'Try again now what failed, was given up or waits',
    description:
      'Images that failed are fetched again, a publication or a change of the auction that was given up is asked for again, a question to the language model or the vehicle registry that nobody answered is put again, and a wait is cut short; one that is due already stays as it is. What the owner never asked for is not begun: an item that is off the service stays there. 409 when nothing failed and nothing waits.',
    answers: { 200: checked, 202: { description: 'Asked for; made in the background', ...changed } },
    refusals: ['NOT_FOUND', 'CONFLICT', 'PRECONDITION_FAILED'],
    handle: postRetry,
  },
  {
    ...write,
    method: 'patch',
    path: '/partner/items/{external_id}/status',
    name: 'updatePartnerItemStatus',
    ...itemOperations.status,
  },
  {
    ...write,
    method: 'patch',
    path: '/partner/items/{external_id}/quantity',
    name: 'updatePartnerItemQuantity',
    ...itemOperations.quantity,
  },
  {
    ...write,
    method: 'delete',
    path: '/partner/items/{external_id}',
    name: 'deletePartnerItem',
    ...itemOperations.delete,
  },
];
