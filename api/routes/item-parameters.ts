import Type from 'typebox';
import { externalIdLengthMax } from '../../schemas/items/external-id.ts';
import { validationResponseSchema, writeResponseSchema } from '../../schemas/items/write-response.ts';

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
