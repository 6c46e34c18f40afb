import Type, { type Static } from 'typebox';
import type { DirectSale } from '../../features/items/rules/direct-sale.ts';
import { oreFromSek } from '../../features/rules/money.ts';
import { directPlatforms } from '../../features/orders/rules/order.ts';
import { compileReader } from '../compile-schema.ts';
import { nullableText, sekAmount, text } from '../fields.ts';
import { externalIdLengthMax } from '../items/external-id.ts';
import { orderStatus } from './order.ts';

/** The body of `POST /partner/orders`. Unknown fields are refused as mistakes. Source: interface-decisions "Orders". */
export const newOrderSchema = Type.Object(
  {
    externalId: text({
      description: 'Your identifier of the item that was sold',
      minLength: 1,
      maxLength: externalIdLengthMax,
      examples: ['BX-1042'],
    }),
    platform: Type.Enum([...directPlatforms], {
      $id: 'DirectPlatform',
      description: 'Where it was sold; the marketplace reports its own sales',
    }),
    amount: sekAmount({
      minimum: 0.01,
      description: 'The price it went for, in SEK with at most two decimals',
      examples: [349.5],
    }),
    status: Type.Optional(
      Type.Enum(['pending', 'paid'], {
        $id: 'NewOrderStatus',
        description: 'Whether the buyer has paid already; `pending` when left out',
      }),
    ),
    isAmountConfirmed: Type.Optional(
      Type.Boolean({
        description: 'Must be true for an amount of 10,000 SEK or more that is ten times the price of the item or more',
      }),
    ),
  },
  { $id: 'NewOrder', title: 'NewOrder', description: 'A direct sale', additionalProperties: false },
);

export interface NewOrder extends Pick<DirectSale, 'platform' | 'amountOre' | 'isPaid'> {
  readonly externalId: string;
  /** Whether the amount was looked at again, after it was refused as far above the item's price. */
  readonly isAmountConfirmed?: boolean | undefined;
}

const readBody = compileReader(newOrderSchema);

/** Throws `VALIDATION_FAILED` with every problem. */
export function readNewOrder(body: unknown): NewOrder {
  const { externalId, platform, amount, status, isAmountConfirmed } = readBody(body);
  return { externalId, platform, amountOre: oreFromSek(amount), isPaid: status === 'paid', isAmountConfirmed };
}

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
