import { quantityRequestSchema, statusRequestSchema } from '../../schemas/items/change-requests.ts';
import { itemListParameters, itemListSchema } from '../../schemas/items/item-list.ts';
import { timelineParameters, timelineSchema } from '../../schemas/items/timeline.ts';
import { validationResponseSchema, writeResponseSchema } from '../../schemas/items/write-response.ts';
import { deleteItem, getItems, getTimeline, patchQuantity, patchStatus, postPublish } from '../handlers/items.ts';
import type { KeyRoute } from '../http/route.ts';
import { ifMatch, itemHeaders, itemParams, replaceRunning, validateOnly } from './parameters.ts';

/** Shared by all writes. An invalid tag or flag is BAD_REQUEST, as on every path. */
export const itemWrite = {
  tag: 'Items',
  params: itemParams,
  query: { validateOnly },
  headers: { 'If-Match': ifMatch },
} as const;
export const checked = { description: 'Only checked, because of `validateOnly`', schema: validationResponseSchema };
export const changed = { schema: writeResponseSchema, headers: itemHeaders };

type Operation = Omit<KeyRoute, 'method' | 'path' | 'name' | 'credential' | 'keyScope'>;

/** The operations that API keys and sessions share, without their address. */
export const itemOperations = {
  list: {
    tag: 'Items',
    summary: 'List items page by page, newest first',
    description:
      'By creation, newest first: what is there all the time comes exactly once, whatever is written meanwhile. With `updatedSince` by the last change, oldest first, for following changes. A cursor is good for the account and the filters that it was given for; any other is 400.',
    query: itemListParameters,
    answers: {
      200: {
        description:
          'Items that match every filter. One that changes meanwhile may come again on a later page: the later one counts',
        schema: itemListSchema,
      },
    },
    handle: getItems,
  },
  timeline: {
    tag: 'Items',
    params: itemParams,
    summary: 'Read what happened to an item, and why it waits',
    description:
      'What happened to the item, when and by whom, newest first; while it waits, the very first entry says why. `message` is a sentence in English, and `details` says the same as data.',
    query: timelineParameters,
    answers: { 200: { description: 'One page of its history', schema: timelineSchema } },
    refusals: ['BAD_REQUEST', 'NOT_FOUND'],
    handle: getTimeline,
  },
  status: {
    ...itemWrite,
    summary: 'Take an item off the service, or say that it was sold elsewhere',
    description: [
      '`not_listed` takes the item off the service and its auction down. `sold` says that it was sold elsewhere, and takes the auction down too. A publication that was asked for and has not begun is called off.',
      'A live auction with bids can not be taken down: then `listing.failed` (`TAKEDOWN_REFUSED_BIDS`) is sent.',
    ].join('\n'),
    request: { schema: statusRequestSchema },
    answers: { 200: checked, 202: { description: 'Stored; the auction comes down in the background', ...changed } },
    refusals: ['NOT_FOUND', 'CONFLICT', 'PRECONDITION_FAILED'],
    handle: patchStatus,
  },
  quantity: {
    ...itemWrite,
    summary: 'Say how many of an item are left',
    description: [
      'How many are left now, the one in the running auction among them: they are sold by one auction after the other. 0 takes the auction down, and more than 0 puts what was sold out on sale again. Each sale counts one down, and its event has `quantityLeft`.',
      '`If-Match` is required: the number is right of the version that was read, and a sale in between makes it 412. `*` sets it whatever was sold.',
      '',
      '- 412 `PRECONDITION_FAILED`: something was sold or changed since; read, and send the number that is right now.',
      '- 428 `PRECONDITION_REQUIRED`: there is no `If-Match`.',
    ].join('\n'),
    request: { schema: quantityRequestSchema },
    answers: { 200: checked, 202: { description: 'Stored; an auction follows in the background', ...changed } },
    refusals: ['NOT_FOUND', 'CONFLICT', 'PRECONDITION_FAILED', 'PRECONDITION_REQUIRED'],
    handle: patchQuantity,
  },
  delete: {
    ...itemWrite,
    summary: 'Delete an item',
    description:
      'An auction that is up comes down first. An item with an order in progress is kept as `archived` until that is over. From the 202 on reads answer 404 (or show `archived`), and a PUT of the same `external_id` makes a new item with a new id.',
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
  publish: {
    ...itemWrite,
    query: { ...itemWrite.query, replaceRunning },
    idempotent: true,
    summary: 'Publish an item on the marketplace, again, or retry what failed',
    description: [
      'A draft is published as soon as its images are ready. An item that is off the service comes back and is published. One whose auction ended, or could not be made, is put up again.',
      '',
      'Of a running auction the marketplace changes the prices alone. What else a PUT changed is in `pendingChanges`, and kept for the next publication. With `replaceRunning=true` that one is made now: the auction is ended (`listing.ended`) and the item put up again as another ad (`listing.created`). With nothing pending this changes nothing.',
      '',
      '- 409 `CONFLICT`: the item is sold or archived, an order of it is in progress, or its auction is to be replaced and has bids.',
    ].join('\n'),
    answers: { 200: checked, 202: { description: 'Asked for; made in the background', ...changed } },
    refusals: ['NOT_FOUND', 'CONFLICT', 'PRECONDITION_FAILED'],
    handle: postPublish,
  },
} satisfies Readonly<Record<string, Operation>>;
