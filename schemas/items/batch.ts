import { Buffer } from 'node:buffer';
import Type, { type Static } from 'typebox';
import { Refusal } from '../../core/errors.ts';
import type { ItemRequest, RequestWarning } from '../../core/items/item-content.ts';
import { compileReader, validationFailed } from '../compile-schema.ts';
import { errorCodeSchema, fieldProblemSchema } from '../errors.ts';
import { externalIdLengthMax, readExternalId, withIdWarnings } from './external-id.ts';
import { itemRequestSchema } from './item-request.ts';
import { readItemRequest } from './read-item-request.ts';
import { requestWarningSchema } from './write-response.ts';

/** Longest reference of a member in a row or a line: no member has a longer one. */
const accountReferenceLengthMax = 255;
const shownMax = 100;

/** The member's reference in a row or line; undefined when there is none, or when `problem` says why it is not usable. */
export function readAccountReference(sent: unknown): {
  readonly account: string | undefined;
  readonly problem?: string;
} {
  if (sent === undefined || sent === null) return { account: undefined };
  if (typeof sent !== 'string') return { account: undefined, problem: 'must be a string' };
  if (!isTooLong(sent)) return { account: sent };
  return { account: undefined, problem: `must be at most ${accountReferenceLengthMax} characters` };
}

/** Characters are code points, as in other texts. The UTF-16 length is never smaller and is cheap, so it is checked first. */
const isTooLong = (text: string): boolean =>
  text.length > accountReferenceLengthMax &&
  [...text.slice(0, 2 * accountReferenceLengthMax + 2)].length > accountReferenceLengthMax;

/** The reference as a refused row or line repeats it. A too long one is cut, so that memory stays bounded. */
export function shownReference(sent: unknown): string | undefined {
  if (typeof sent !== 'string') return undefined;
  // A copy, because a slice would keep the whole text in memory.
  return !isTooLong(sent) ? sent : Buffer.from(`${sent.slice(0, shownMax)}…`).toString();
}

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
export function readBatchRow(sent: unknown, warnings: readonly RequestWarning[] = []): BatchRow {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent))
    return { account: undefined, externalId: null, refusal: refused('body', 'must be a JSON object') };
  // No rest pattern, which would copy the other fields: there may be a hundred thousand.
  const [sentId, sentAccount] = rowNames.map((name): unknown =>
    Object.hasOwn(sent, name) ? Reflect.get(sent, name) : undefined,
  );
  const { account = shownReference(sentAccount), problem } = readAccountReference(sentAccount);
  const externalId = readId(sentId);
  if (externalId instanceof Refusal) return { account, externalId: null, refusal: externalId };
  if (problem !== undefined) return { account, externalId, refusal: refused('account', problem) };
  const request = orRefusal(() => withIdWarnings(readItemRequest(sent, rowNames), externalId, 'externalId'));
  if (request instanceof Refusal) return { account, externalId, refusal: request };
  return { account, externalId, request: { ...request, warnings: [...warnings, ...request.warnings] } };
}

/** Fields of a row beside those of the item. */
const rowNames = ['externalId', 'account'] as const;

const refused = (field: string, message: string): Refusal => validationFailed([{ field, message }]);

function readId(sent: unknown): string | Refusal {
  if (sent === undefined) return refused('externalId', 'is required');
  const id = orRefusal(() => readExternalId(sent));
  return id instanceof Refusal ? refused('externalId', id.details?.[0]?.message ?? id.message) : id;
}

function orRefusal<Value>(read: () => Value): Value | Refusal {
  try {
    return read();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
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
