import Type from 'typebox';

import type { RequestWarning } from '../../core/items/item-content.ts';
import { compileReader } from '../compile-schema.ts';
import { ignoredFields, unknownBeside } from '../unknown-fields.ts';
import { quantitySchema } from './item-request.ts';

/** The body of `PATCH /integration/v1/items/{external_id}/quantity`. */
export const quantityRequestSchema = Type.Object(
  { quantity: quantitySchema('How many are left now, the one in the auction among them; 0 takes the auction down') },
  { $id: 'QuantityRequest', title: 'QuantityRequest', description: 'How many of an item are left' },
);

export interface QuantityRequest {
  readonly quantity: number;
  readonly warnings: readonly RequestWarning[];
}

const readBody = compileReader(quantityRequestSchema);

/** Throws `VALIDATION_FAILED` with every problem. */
export function readQuantityRequest(body: unknown): QuantityRequest {
  const { quantity } = readBody(body);
  return { quantity, warnings: ignoredFields(unknownBeside(quantityRequestSchema, body)) };
}
