import Type from 'typebox';
import { externalIdLengthMax } from '../../schemas/items/external-id.ts';
import { validationResponseSchema } from '../../schemas/items/validation-response.ts';
import { writeResponseSchema } from '../../schemas/items/write-response.ts';

// What the routes of items have in common, whichever credential they ask for.

export const itemParams = {
  external_id: {
    description: "The caller's own identifier of the item; percent-encoded, also its slashes",
    schema: Type.String({ minLength: 1, maxLength: externalIdLengthMax, format: 'plain-text' }),
  },
};
export const itemHeaders = { ETag: 'Item and revision, for `If-Match`' };
/** As RFC 9110 has it, without its liberties about spaces. */
const entityTags = String.raw`^(\*|(W/)?"[!#-~]*"(, (W/)?"[!#-~]*")*)$`;
export const ifMatch = {
  description: 'Entity tags of a read or write, or `*`: 412 when the item is at none of them any more',
  schema: Type.String({ pattern: entityTags }),
};
export const ifNoneMatch = {
  description: '`*`: only create, 412 when there is an item already',
  schema: Type.String({ pattern: entityTags }),
};

export const validateOnly = {
  description: '`true`: all checks, the same errors, no effect. Any other parameter is 400, also a misspelt one',
  schema: Type.Boolean(),
};

/** What all writes have in common. A tag or a flag that makes no sense is BAD_REQUEST, as every path is. */
export const itemWrite = {
  tag: 'Items',
  params: itemParams,
  query: { validateOnly },
  headers: { 'If-Match': ifMatch },
} as const;
export const checked = { description: 'Only checked, because of `validateOnly`', schema: validationResponseSchema };
export const changed = { schema: writeResponseSchema, headers: itemHeaders };
