import Type from 'typebox';

import type { RequestWarning } from '../../core/items/item-content.ts';
import { oreFromSek } from '../../core/money.ts';
import { compileReader } from '../compile-schema.ts';
import { ignoredFields, unknownBeside } from '../unknown-fields.ts';
import { priceSchema } from './item-request.ts';
import { orePriceWarnings } from './ore-warning.ts';

/** The body of `PATCH /integration/v1/items/{external_id}/price`. */
export const priceRequestSchema = Type.Object(
  { price: priceSchema },
  { $id: 'PriceRequest', title: 'PriceRequest', description: 'A new price of an item' },
);

export interface PriceRequest {
  readonly priceOre: number;
  readonly warnings: readonly RequestWarning[];
}

const readBody = compileReader(priceRequestSchema);

/** Throws `VALIDATION_FAILED` with every problem. */
export function readPriceRequest(body: unknown): PriceRequest {
  const request = readBody(body);
  return {
    priceOre: oreFromSek(request.price),
    warnings: [...ignoredFields(unknownBeside(priceRequestSchema, body)), ...orePriceWarnings('price', request.price)],
  };
}
