import Type from 'typebox';
import { batchBytesMax, batchRequestSchema, batchResponseSchema } from '../../schemas/items/batch.ts';
import { priceRequestSchema } from '../../schemas/items/change-requests.ts';
import { itemStatusOrFullSchema } from '../../schemas/items/item-full.ts';
import { itemRequestSchema } from '../../schemas/items/item-request.ts';
import { upsertResponseSchema } from '../../schemas/items/write-response.ts';
import type { Route } from '../http/route.ts';
import { getItem, patchPrice, postBatch, putItem } from '../handlers/items.ts';
import { changed, checked, itemOperations, itemWrite } from './item-operations.ts';
import { ifMatch, ifNoneMatch, itemHeaders, itemParams, validateOnly } from './parameters.ts';

const read = { credential: 'api-key', keyScope: 'items:read' } as const;
const write = { ...itemWrite, credential: 'api-key', keyScope: 'items:write' } as const;

export const itemRoutes: readonly Route[] = [
  {
    ...read,
    method: 'get',
    path: '/integration/v1/items',
    name: 'listItems',
    ...itemOperations.list,
    refusals: ['BAD_REQUEST'],
  },
  {
    method: 'post',
    path: '/integration/v1/items/batch',
    name: 'batchUpsertItems',
    credential: 'api-key',
    keyScope: 'items:write',
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
    ...read,
    method: 'get',
    path: '/integration/v1/items/{external_id}/timeline',
    name: 'getItemTimeline',
    ...itemOperations.timeline,
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
    params: itemParams,
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
    ...itemOperations.status,
  },
  {
    ...write,
    method: 'patch',
    path: '/integration/v1/items/{external_id}/quantity',
    name: 'updateItemQuantity',
    ...itemOperations.quantity,
  },
  {
    ...write,
    method: 'delete',
    path: '/integration/v1/items/{external_id}',
    name: 'deleteItem',
    ...itemOperations.delete,
  },
  {
    ...write,
    method: 'post',
    path: '/integration/v1/items/{external_id}/publish',
    name: 'publishItem',
    ...itemOperations.publish,
  },
];
