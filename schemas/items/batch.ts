import Type, { type Static } from 'typebox';
import { Refusal } from '../../features/rules/errors.ts';
import { problem, type FieldProblem } from '../../features/rules/field-problems.ts';
import type { ItemRequest } from '../../features/items/rules/item-content.ts';
import { compileReader, validationFailed } from '../compile-schema.ts';
import { errorCodeSchema, fieldProblemSchema } from '../errors.ts';
import { withDoubts } from './doubts.ts';
import { externalIdLengthMax, withIdWarnings } from './external-id.ts';
import { itemRequestSchema } from './item-request.ts';
import { readItemRequest } from './read-item-request.ts';
import { accountReferenceLengthMax, readRowNames, rowNames } from './row-names.ts';
import { requestWarningSchema } from './write-response.ts';

export const batchRowsMax = 500;
export const batchBytesMax = 5 * 1024 * 1024;

const row = Type.Object(
  {
    externalId: Type.String({
      minLength: 1,
      maxLength: externalIdLengthMax,
      format: 'plain-text',
      description: "The caller's own identifier of the item, once for each account",
    }),
    account: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        maxLength: accountReferenceLengthMax,
        description: "The reseller's reference of the member whose item it is; left out or null: as the call itself",
      }),
    ),
    ...itemRequestSchema.properties,
  },
  { $id: 'BatchRow', description: 'An item as in its PUT, and whose it is' },
);

const bounds = { minItems: 1, maxItems: batchRowsMax };

/** The body of `POST /integration/v1/items/batch` as the interface document shows it. */
export const batchRequestSchema = Type.Object(
  { items: Type.Array(row, { ...bounds, description: 'Each is taken or refused by itself' }) },
  { $id: 'BatchRequest', additionalProperties: false },
);

const readBody = compileReader(
  Type.Object({ items: Type.Array(Type.Unknown(), bounds) }, { additionalProperties: false }),
);

/** Returns the rows as sent. Throws VALIDATION_FAILED when there are none or too many, or when the body has another field. */
export const readBatch = (body: unknown): readonly unknown[] => readBody(body).items;

/** A row's request, or why it is refused, with its references as far as they could be read. */
export type BatchRow = { readonly account: string | undefined } & (
  | { readonly externalId: string; readonly request: ItemRequest }
  | { readonly externalId: null; readonly refusal: Refusal }
  | { readonly externalId: string; readonly refusal: Refusal }
);

/** Reads a row of any JSON type. Paths of its problems are relative to the row. `warnings` go before its own. */
export function readBatchRow(sent: unknown, warnings: readonly FieldProblem[] = []): BatchRow {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) {
    const refusal = validationFailed([problem('body', 'not_json_object')]);
    return { account: undefined, externalId: null, refusal };
  }
  const { externalId, account, problems } = readRowNames(sent);
  try {
    const request = readItemRequest(sent, { names: rowNames, problems });
    if (externalId === null) throw new Error('a row without an id has a problem');
    const warned = withDoubts(withIdWarnings(request, externalId, 'externalId'), externalId, 'externalId');
    return { account, externalId, request: { ...warned, warnings: [...warnings, ...warned.warnings] } };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const refusal = error;
    return externalId === null ? { account, externalId, refusal } : { account, externalId, refusal };
  }
}

const names = {
  externalId: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'As sent; null when it could not be read',
  }),
  account: Type.Optional(Type.String({ description: 'As sent; left out when the row had none' })),
};

const taken = Type.Object(
  {
    ...names,
    status: Type.Enum([200, 202], { description: '202: stored; 200: only checked, because of `validateOnly`' }),
    itemId: Type.Optional(Type.String({ format: 'uuid', description: 'Left out when the row was only checked' })),
    message: Type.String({
      examples: ['Item created', 'Item updated', 'Item updated (unchanged)', 'Item would be created'],
    }),
    warnings: Type.Optional(Type.Array(requestWarningSchema, { description: 'Left out when there is nothing to say' })),
  },
  { $id: 'BatchRowTaken', additionalProperties: false },
);

const refusedRow = Type.Object(
  {
    ...names,
    status: Type.Integer({
      minimum: 400,
      maximum: 599,
      description:
        'What its PUT would have been answered with; 422 also for an `externalId` that is not usable, which in a path is 400',
    }),
    error: Type.String({ description: 'Message for people' }),
    code: errorCodeSchema,
    details: Type.Optional(Type.Array(fieldProblemSchema, { description: 'Every problem, relative to the row' })),
  },
  { $id: 'BatchRowRefused', additionalProperties: false },
);

/** The 200 of a batch. Source: interface-decisions "Many items at once". */
export const batchResponseSchema = Type.Object(
  { results: Type.Array(Type.Union([taken, refusedRow]), { description: 'One for each row, in the order sent' }) },
  { $id: 'BatchResponse' },
);
export type BatchResponse = Static<typeof batchResponseSchema>;
export type BatchResult = BatchResponse['results'][number];
