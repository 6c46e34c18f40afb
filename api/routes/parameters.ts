import Type from 'typebox';
import { externalIdLengthMax } from '../../schemas/items/external-id.ts';
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

/** Of all paths of one item. */
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

export const replaceRunning = {
  component: 'ReplaceRunning',
  description:
    '`true`: an auction without bids that does not show the changes of the item (`pendingChanges`) is ended, and the item is put up again with them. The marketplace charges for the new auction',
  schema: Type.Boolean(),
};

export const validateOnly = {
  component: 'ValidateOnly',
  description: '`true`: all checks, the same errors, no effect. Any other parameter is 400, also a misspelt one',
  schema: Type.Boolean(),
};
