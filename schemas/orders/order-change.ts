import Type, { type Static } from 'typebox';
import { compileReader } from '../compile-schema.ts';
import { nullableText } from '../text.ts';
import { orderStatus } from './order.ts';

const reportSchema = Type.Object(
  {
    carrier: Type.Optional(
      nullableText({
        description: 'Who carries it; null removes it',
        minLength: 1,
        maxLength: 100,
        examples: ['PostNord'],
      }),
    ),
    trackingNumber: Type.Optional(
      nullableText({
        description: 'What the carrier knows it by; null removes it',
        minLength: 1,
        maxLength: 100,
        examples: ['UN123456789SE'],
      }),
    ),
  },
  {
    $id: 'ShippingReport',
    description: 'It was sent. Sent again with other values it corrects them; what is left out stays',
    additionalProperties: false,
  },
);

/** The body of `PATCH` of an order. Unknown fields are refused as mistakes. */
export const orderChangeSchema = Type.Object(
  { status: Type.Optional(orderStatus), shipping: Type.Optional(reportSchema) },
  {
    $id: 'OrderChange',
    title: 'OrderChange',
    description: 'The next status of an order, that it was sent, or both',
    additionalProperties: false,
    minProperties: 1,
  },
);
export type OrderChangeRequest = Static<typeof orderChangeSchema>;

/** Throws `VALIDATION_FAILED`. */
export const readOrderChange = compileReader(orderChangeSchema);
