import Type, { type Static } from 'typebox';
import { compileReader } from '../compile-schema.ts';
import { orderStatus } from './order.ts';

/** The body of `PATCH /partner/orders/{id}`. Unknown fields are refused as mistakes. */
export const orderChangeSchema = Type.Object(
  { status: orderStatus },
  { $id: 'OrderChange', title: 'OrderChange', description: 'The next status of an order', additionalProperties: false },
);
export type OrderChangeRequest = Static<typeof orderChangeSchema>;

/** Throws `VALIDATION_FAILED`. */
export const readOrderChange = compileReader(orderChangeSchema);
