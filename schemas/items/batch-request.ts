import Type from 'typebox';
import { Refusal } from '../../core/errors.ts';
import type { ItemRequest, RequestWarning } from '../../core/items/item-content.ts';
import { compileReader, validationFailed } from '../compile-schema.ts';
import { accountReferenceLengthMax, readAccountReference, shownReference } from './account-reference.ts';
import { externalIdLengthMax, readExternalId, withIdWarnings } from './external-id.ts';
import { itemRequestSchema } from './item-request.ts';
import { readItemRequest } from './read-item-request.ts';

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
