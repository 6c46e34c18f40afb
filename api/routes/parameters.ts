import Type from 'typebox';
import { externalIdLengthMax } from '../../schemas/items/external-id.ts';
import { validationResponseSchema, writeResponseSchema } from '../../schemas/items/write-response.ts';
import { idLengthMax } from '../../schemas/webhooks/webhook-delivery.ts';
import type { Parameter } from '../http/route.ts';

/** A parameter of a path that accepts any text; an unknown one gives 404. */
export const anyText = (description: string, example: string): Parameter => ({
  description,
  schema: Type.String({ examples: [example] }),
});

/** A longer value is an unknown id, and gives 404. */
export const endpointParams: Readonly<Record<string, Parameter>> = {
  id: {
    component: 'WebhookEndpointId',
    description: 'Id of the endpoint',
    schema: Type.String({ minLength: 1, maxLength: 36, examples: ['0d9c8f6e-3c1b-4e7d-9a52-6f1e2b3c4d5e'] }),
  },
};

/** Ids of the log have no fixed form. */
export const deliveryParam = (component: string, description: string, example: string): Parameter => ({
  component,
  description,
  schema: Type.String({ minLength: 1, maxLength: idLengthMax, examples: [example] }),
});

// Shared by the item routes of all credentials.

export const itemParams = {
  external_id: {
    component: 'ExternalId',
    description: "The caller's own identifier of the item; percent-encoded, also its slashes",
    schema: Type.String({ minLength: 1, maxLength: externalIdLengthMax, format: 'plain-text', examples: ['BX-1042'] }),
  },
};
export const itemHeaders = { ETag: 'Which version of it this is, for `If-Match` and `If-None-Match`' };
/** The form of RFC 9110, without its optional spaces. */
const entityTags = String.raw`^(\*|(W/)?"[!#-~]*"(, (W/)?"[!#-~]*")*)$`;
export const ifMatch = {
  component: 'IfMatch',
  description: 'Entity tags of a read or write, or `*`: 412 when it is at none of them any more',
  schema: Type.String({ pattern: entityTags }),
};
export const ifNoneMatch = {
  description: '`*`: only create, 412 when there is an item already',
  schema: Type.String({ pattern: entityTags }),
};

export const validateOnly = {
  component: 'ValidateOnly',
  description: '`true`: all checks, the same errors, no effect. Any other parameter is 400, also a misspelt one',
  schema: Type.Boolean(),
};

/** Shared by all writes. An invalid tag or flag is BAD_REQUEST, as on every path. */
export const itemWrite = {
  tag: 'Items',
  params: itemParams,
  query: { validateOnly },
  headers: { 'If-Match': ifMatch },
} as const;
export const checked = { description: 'Only checked, because of `validateOnly`', schema: validationResponseSchema };
export const changed = { schema: writeResponseSchema, headers: itemHeaders };

/** Descriptions of the item operations that API keys and sessions share. */
export const itemTexts = {
  list: 'By creation, newest first: what is there all the time comes exactly once, whatever is written meanwhile. With `updatedSince` by the last change, oldest first, for following changes. A cursor is good for the account and the filters that it was given for; any other is 400.',
  timeline:
    'What happened to the item, when and by whom, newest first; while it waits, the very first entry says why. `message` is a sentence in English, and `details` says the same as data.',
  status: [
    '`not_listed` takes the item off the service and its auction down. `sold` says that it was sold elsewhere, and takes the auction down too. A publication that was asked for and has not begun is called off.',
    'A live auction with bids can not be taken down: then `listing.failed` (`TAKEDOWN_REFUSED_BIDS`) is sent.',
  ].join('\n'),
  quantity: [
    'How many are left now, the one in the running auction among them: they are sold by one auction after the other. 0 takes the auction down, and more than 0 puts what was sold out on sale again. Each sale counts one down, and its event has `quantityLeft`.',
    '`If-Match` is required: the number is right of the version that was read, and a sale in between makes it 412. `*` sets it whatever was sold.',
    '',
    '- 412 `PRECONDITION_FAILED`: something was sold or changed since; read, and send the number that is right now.',
    '- 428 `PRECONDITION_REQUIRED`: there is no `If-Match`.',
  ].join('\n'),
  delete:
    'An auction that is up comes down first. An item with an order in progress is kept as `archived` until that is over. From the 202 on reads answer 404 (or show `archived`), and a PUT of the same `external_id` makes a new item with a new id.',
  publish: [
    'A draft is published as soon as its images are ready. An item that is off the service comes back and is published. One whose auction ended, or could not be made, is put up again.',
    '',
    '- 409 `CONFLICT`: the item is sold or archived, or an order of it is in progress.',
  ].join('\n'),
} as const;
