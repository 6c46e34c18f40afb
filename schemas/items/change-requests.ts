import Type from 'typebox';
import { Refusal } from '../../features/rules/errors.ts';
import { problem, type FieldProblem } from '../../features/rules/field-problems.ts';
import { isWholeKronor, oreFromSek, wholeKronorFromOre } from '../../features/rules/money.ts';
import { compileReader, compileSchema } from '../compile-schema.ts';
import { ignoredFields, unknownBeside, unknownFields } from '../unknown-fields.ts';
import { priceSchema, quantitySchema } from './item-request.ts';

/** The body of `PATCH /integration/v1/items/{external_id}/price`. */
export const priceRequestSchema = Type.Object(
  { price: priceSchema },
  { $id: 'PriceRequest', title: 'PriceRequest', description: 'A new price of an item' },
);

export interface PriceRequest {
  readonly priceOre: number;
  readonly warnings: readonly FieldProblem[];
}

const readPriceBody = compileReader(priceRequestSchema);

/** Throws `VALIDATION_FAILED` with every problem. */
export function readPriceRequest(body: unknown): PriceRequest {
  const request = readPriceBody(body);
  return {
    priceOre: oreFromSek(request.price),
    warnings: [...ignoredFields(unknownBeside(priceRequestSchema, body)), ...orePriceWarnings('price', request.price)],
  };
}

/** The body of `PATCH /integration/v1/items/{external_id}/quantity`. */
export const quantityRequestSchema = Type.Object(
  { quantity: quantitySchema('How many are left now, the one in the auction among them; 0 takes the auction down') },
  { $id: 'QuantityRequest', title: 'QuantityRequest', description: 'How many of an item are left' },
);

export interface QuantityRequest {
  readonly quantity: number;
  readonly warnings: readonly FieldProblem[];
}

const readQuantityBody = compileReader(quantityRequestSchema);

/** Throws `VALIDATION_FAILED` with every problem. */
export function readQuantityRequest(body: unknown): QuantityRequest {
  const { quantity } = readQuantityBody(body);
  return { quantity, warnings: ignoredFields(unknownBeside(quantityRequestSchema, body)) };
}

/** The states a caller may set. */
export const settableStatuses = ['not_listed', 'sold'] as const;
export type SettableStatus = (typeof settableStatuses)[number];

/** The body of `PATCH /integration/v1/items/{external_id}/status`. */
export const statusRequestSchema = Type.Object(
  { status: Type.Enum([...settableStatuses], { $id: 'SettableStatus', description: 'The state the item goes to' }) },
  {
    $id: 'StatusRequest',
    title: 'StatusRequest',
    description: 'Takes an item down, or says that it was sold elsewhere',
  },
);

export interface StatusRequest {
  readonly status: SettableStatus;
  readonly warnings: readonly FieldProblem[];
}

const compiled = compileSchema(statusRequestSchema);

/** Throws `VALIDATION_FAILED` with the invalid-status message of specification "Errors" 1. */
export function readStatusRequest(body: unknown): StatusRequest {
  const unknown = unknownBeside(statusRequestSchema, body);
  if (compiled.accepts(body)) return { status: body.status, warnings: ignoredFields(unknown) };
  const message = `Invalid status: must be one of ${settableStatuses.join(', ')}`;
  throw new Refusal('VALIDATION_FAILED', message, { details: [...compiled.problems(body), ...unknownFields(unknown)] });
}

/** Warns of öre in a price, because the marketplace gets another amount than the caller sent (interface-decisions "Items"). */
export function orePriceWarnings(field: string, sek: number | undefined): FieldProblem[] {
  if (sek === undefined) return [];
  const ore = oreFromSek(sek);
  return isWholeKronor(ore) ? [] : [problem(field, 'whole_kronor', { kronor: wholeKronorFromOre(ore) })];
}
