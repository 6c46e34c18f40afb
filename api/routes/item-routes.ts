import Type from 'typebox';
import { batchBytesMax, batchRequestSchema, batchResponseSchema } from '../../schemas/items/batch.ts';
import { itemListParameters, itemListSchema } from '../../schemas/items/item-list.ts';
import { itemRequestSchema } from '../../schemas/items/item-request.ts';
import { itemStatusOrFullSchema } from '../../schemas/items/item-full.ts';
import { priceRequestSchema, quantityRequestSchema, statusRequestSchema } from '../../schemas/items/change-requests.ts';
import { timelineParameters, timelineSchema } from '../../schemas/items/timeline.ts';
import { upsertResponseSchema, writeResponseSchema } from '../../schemas/items/write-response.ts';
import type { Route } from '../http/route.ts';
import {
  deleteItem,
  getItem,
  getItems,
  getTimeline,
  patchPrice,
  patchQuantity,
  patchStatus,
  postBatch,
  postPublish,
  putItem,
} from '../handlers/items.ts';
import {
  changed,
  checked,
  ifMatch,
  ifNoneMatch,
  itemHeaders,
  itemParams,
  itemTexts,
  itemWrite,
  validateOnly,
} from './parameters.ts';

const params = itemParams;
const read = { credential: 'api-key', keyScope: 'items:read' } as const;
const write = { ...itemWrite, credential: 'api-key', keyScope: 'items:write' } as const;

export const itemRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/integration/v1/items',
    name: 'listItems',
    ...read,
    tag: 'Items',
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
    refusals: ['BAD_REQUEST'],
    handle: getItems,
  },
  {
    method: 'post',
    path: '/integration/v1/items/batch',
    name: 'batchUpsertItems',
    ...{ credential: 'api-key', keyScope: 'items:write' },
    idempotent: true,
    tag: 'Items',
    summary: 'Create or update up to 500 items',
    description:
      'Each row is taken or refused by itself. Of rows with the same account and `externalId` the first counts, later ones are refused with `CONFLICT`. The work of the items waits behind that of single writes. The call counts as one for every ten rows.',
    query: { validateOnly },
    request: { schema: batchRequestSchema, bytesMax: batchBytesMax },
    answers: { 200: { description: 'What became of each row, in the order sent', schema: batchResponseSchema } },
    refusals: ['BAD_REQUEST'],
    handle: postBatch,
  },
  {
    method: 'get',
    path: '/integration/v1/items/{external_id}/timeline',
    name: 'getItemTimeline',
    ...read,
    tag: 'Items',
    summary: 'Read what happened to an item, and why it waits',
    description: itemTexts.timeline,
    params,
    query: timelineParameters,
    answers: { 200: { description: 'One page of its history', schema: timelineSchema } },
    refusals: ['BAD_REQUEST', 'NOT_FOUND'],
    handle: getTimeline,
  },
  {
    ...write,
    method: 'put',
    path: '/integration/v1/items/{external_id}',
    name: 'upsertItem',
    summary: 'Create or update an item',
    description: [
      'The same `external_id` never makes a second item: the first PUT creates it, later ones replace its fields, and an optional field that is left out goes back to its default. The 202 says that the item is stored and that its work will be done: of a new one images and auction are there within about 30 seconds. `warnings` names what was ignored, and what is perhaps not as it was meant.',
      'The list of images may be called `images` or `image_urls` instead of `imageUrls`, but only one of them may be there.',
      '',
      '- 409 `CONFLICT`: too many writes of the item at once; `Retry-After` says when to try again.',
      '- 412 `PRECONDITION_FAILED`: the item has changed since the `ETag` in `If-Match`, or with `If-None-Match: *` is there already.',
    ].join('\n'),
    headers: { 'If-Match': ifMatch, 'If-None-Match': ifNoneMatch },
    request: { schema: itemRequestSchema },
    answers: {
      200: checked,
      202: {
        description: 'Stored; images and publishing go on in the background',
        schema: upsertResponseSchema,
        headers: itemHeaders,
      },
    },
    refusals: ['QUOTA_EXCEEDED', 'CONFLICT', 'PRECONDITION_FAILED'],
    handle: putItem,
  },
  {
    method: 'get',
    path: '/integration/v1/items/{external_id}',
    name: 'getItem',
    ...read,
    tag: 'Items',
    summary: 'Read the status of an item, or all of it',
    description:
      'Where the item stands; `view=full` adds every field, how far each image has come and what the work waits for. The `ETag` is for `If-Match` of a write. `If-None-Match` is ignored here, because a status may change without a new revision.',
    params,
    query: {
      view: {
        description: '`full` gives every field besides the status',
        schema: Type.Enum(['status', 'full'], { $id: 'ItemView' }),
      },
    },
    answers: { 200: { description: 'Where the item stands', schema: itemStatusOrFullSchema, headers: itemHeaders } },
    refusals: ['BAD_REQUEST', 'NOT_FOUND'],
    handle: getItem,
  },
  {
    ...write,
    method: 'patch',
    path: '/integration/v1/items/{external_id}/price',
    name: 'updateItemPrice',
    summary: 'Change the price of an item',
    description:
      'The stored price changes at once, and an auction that is up follows in the background. Where the marketplace refuses, because there are bids, the item goes back to the price it had and `listing.failed` is sent.',
    request: { schema: priceRequestSchema },
    answers: { 200: checked, 202: { description: 'Stored; a live auction follows in the background', ...changed } },
    refusals: ['NOT_FOUND', 'CONFLICT', 'PRECONDITION_FAILED'],
    handle: patchPrice,
  },
  {
    ...write,
    method: 'patch',
    path: '/integration/v1/items/{external_id}/status',
    name: 'updateItemStatus',
    summary: 'Take an item off the service, or say that it was sold elsewhere',
    description: itemTexts.status,
    request: { schema: statusRequestSchema },
    answers: { 200: checked, 202: { description: 'Stored; the auction comes down in the background', ...changed } },
    refusals: ['NOT_FOUND', 'CONFLICT', 'PRECONDITION_FAILED'],
    handle: patchStatus,
  },
  {
    ...write,
    method: 'patch',
    path: '/integration/v1/items/{external_id}/quantity',
    name: 'updateItemQuantity',
    summary: 'Say how many of an item are left',
    description: itemTexts.quantity,
    request: { schema: quantityRequestSchema },
    answers: { 200: checked, 202: { description: 'Stored; an auction follows in the background', ...changed } },
    refusals: ['NOT_FOUND', 'CONFLICT', 'PRECONDITION_FAILED', 'PRECONDITION_REQUIRED'],
    handle: patchQuantity,
  },
  {
    ...write,
    method: 'delete',
    path: '/integration/v1/items/{external_id}',
    name: 'deleteItem',
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
  {
    ...write,
    method: 'post',
    path: '/integration/v1/items/{external_id}/publish',
    name: 'publishItem',
    idempotent: true,
    summary: 'Publish an item on the marketplace, again, or retry what failed',
    description: itemTexts.publish,
    answers: { 200: checked, 202: { description: 'Asked for; made in the background', ...changed } },
    refusals: ['NOT_FOUND', 'CONFLICT', 'PRECONDITION_FAILED'],
    handle: postPublish,
  },
];
