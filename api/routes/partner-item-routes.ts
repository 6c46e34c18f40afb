import { itemListParameters, itemListSchema } from '../../schemas/items/item-list.ts';
import { partnerItemSchema } from '../../schemas/items/item-full.ts';
import { quantityRequestSchema, statusRequestSchema } from '../../schemas/items/change-requests.ts';
import { timelineParameters, timelineSchema } from '../../schemas/items/timeline.ts';
import { writeResponseSchema } from '../../schemas/items/write-response.ts';
import type { Route } from '../http/route.ts';
import {
  deleteItem,
  getItems,
  getPartnerItem,
  getTimeline,
  patchQuantity,
  patchStatus,
  postPublish,
  postRetry,
} from '../handlers/items.ts';
import { changed, checked, itemHeaders, itemParams, itemTexts, itemWrite } from './parameters.ts';

/** A session; a reseller's session may act for a member. */
const bySession = { credential: 'jwt', forMembers: true, tag: 'Items' } as const;
const read = { ...bySession, method: 'get', params: itemParams } as const;
const write = { ...itemWrite, ...bySession } as const;

/** Item routes for the dashboard: those of `/integration/v1/items` that it needs, with the same handlers. */
export const partnerItemRoutes: readonly Route[] = [
  {
    ...{ ...bySession, method: 'get', path: '/partner/items' },
    name: 'listPartnerItems',
    summary: 'List items page by page, newest first',
    description: itemTexts.list,
    query: itemListParameters,
    answers: {
      200: {
        description:
          'Items that match every filter. One that changes meanwhile may come again on a later page: the later one counts',
        schema: itemListSchema,
      },
    },
    refusals: ['BAD_REQUEST', 'NOT_FOUND'],
    handle: getItems,
  },
  {
    ...{ ...read, path: '/partner/items/{external_id}' },
    name: 'getPartnerItem',
    summary: 'Read all of an item',
    description:
      'Every field, as `view=full` gives them to an API key, and what the dashboard shows beside them: since when the work has been stuck, when it is tried again by itself, and whether `retry` would change anything.',
    answers: { 200: { description: 'Where the item stands', schema: partnerItemSchema, headers: itemHeaders } },
    refusals: ['BAD_REQUEST', 'NOT_FOUND'],
    handle: getPartnerItem,
  },
  {
    ...{ ...read, path: '/partner/items/{external_id}/timeline' },
    name: 'getPartnerItemTimeline',
    summary: 'Read what happened to an item, and why it waits',
    description: itemTexts.timeline,
    query: timelineParameters,
    answers: { 200: { description: 'One page of its history', schema: timelineSchema } },
    refusals: ['BAD_REQUEST', 'NOT_FOUND'],
    handle: getTimeline,
  },
  {
    ...{ ...write, method: 'post', path: '/partner/items/{external_id}/publish', idempotent: true },
    name: 'publishPartnerItem',
    summary: 'Publish an item on the marketplace, again, or retry what failed',
    description: itemTexts.publish,
    answers: { 200: checked, 202: { description: 'Asked for; made in the background', ...changed } },
    refusals: ['NOT_FOUND', 'CONFLICT', 'PRECONDITION_FAILED'],
    handle: postPublish,
  },
  {
    ...{ ...write, method: 'post', path: '/partner/items/{external_id}/retry', idempotent: true },
    name: 'retryPartnerItem',
    summary: 'Try again now what failed, was given up or waits',
    description:
      'Images that failed are fetched again, a publication or a change of the auction that was given up is asked for again, a question to the language model or the vehicle registry that nobody answered is put again, and a wait is cut short; one that is due already stays as it is. What the owner never asked for is not begun: an item that is off the service stays there. 409 when nothing failed and nothing waits.',
    answers: { 200: checked, 202: { description: 'Asked for; made in the background', ...changed } },
    refusals: ['NOT_FOUND', 'CONFLICT', 'PRECONDITION_FAILED'],
    handle: postRetry,
  },
  {
    ...{ ...write, method: 'patch', path: '/partner/items/{external_id}/status' },
    name: 'updatePartnerItemStatus',
    summary: 'Take an item off the service, or say that it was sold elsewhere',
    description: itemTexts.status,
    request: { schema: statusRequestSchema },
    answers: { 200: checked, 202: { description: 'Stored; the auction comes down in the background', ...changed } },
    refusals: ['NOT_FOUND', 'CONFLICT', 'PRECONDITION_FAILED'],
    handle: patchStatus,
  },
  {
    ...{ ...write, method: 'patch', path: '/partner/items/{external_id}/quantity' },
    name: 'updatePartnerItemQuantity',
    summary: 'Say how many of an item are left',
    description: itemTexts.quantity,
    request: { schema: quantityRequestSchema },
    answers: { 200: checked, 202: { description: 'Stored; an auction follows in the background', ...changed } },
    refusals: ['NOT_FOUND', 'CONFLICT', 'PRECONDITION_FAILED', 'PRECONDITION_REQUIRED'],
    handle: patchQuantity,
  },
  {
    ...{ ...write, method: 'delete', path: '/partner/items/{external_id}' },
    name: 'deletePartnerItem',
    summary: 'Delete an item',
    description: itemTexts.delete,
    answers: {
      200: checked,
      202: {
        description: 'Deleted, or archived while an order is in progress; the auction comes down in the background',
        schema: writeResponseSchema,
      },
    },
    refusals: ['NOT_FOUND', 'CONFLICT', 'PRECONDITION_FAILED'],
    handle: deleteItem,
  },
];
