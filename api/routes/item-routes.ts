import Type from 'typebox';
import { itemRequestSchema } from '../../schemas/items/item-request.ts';
import { itemStatusOrFullSchema } from '../../schemas/items/item-full.ts';
import { upsertResponseSchema } from '../../schemas/items/upsert-response.ts';
import type { Route } from '../http/route.ts';
import { getItem } from '../items/get-item.ts';
import { putItem } from '../items/put-item.ts';

const params = { external_id: "The caller's own identifier of the item, at most 255 characters" };

export const itemRoutes: readonly Route[] = [
  {
    method: 'put',
    path: '/integration/v1/items/{external_id}',
    credential: 'api-key',
    tag: 'Items',
    summary: 'Create or update an item',
    params,
    request: { schema: itemRequestSchema },
    answers: {
      202: { description: 'Stored; images and publishing go on in the background', schema: upsertResponseSchema },
    },
    refusals: ['CONFLICT'],
    handle: putItem,
  },
  {
    method: 'get',
    path: '/integration/v1/items/{external_id}',
    credential: 'api-key',
    tag: 'Items',
    summary: 'Read the status of an item, or all of it',
    params,
    query: {
      view: { description: '`full` gives every field besides the status', schema: Type.Enum(['status', 'full']) },
    },
    answers: { 200: { description: 'Where the item stands', schema: itemStatusOrFullSchema } },
    refusals: ['BAD_REQUEST', 'NOT_FOUND'],
    handle: getItem,
  },
];
