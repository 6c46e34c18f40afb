import Type from 'typebox';
import { orderId, type OrderId } from '../../core/ids.ts';
import { orderStates, type OrderState } from '../../core/orders/order-states.ts';
import { externalIdLengthMax } from '../items/external-id.ts';
import { cursorTime, readListCursor, writeListCursor } from '../list-cursor.ts';
import { BadValue, isoTime, oneOf, readQuery, wholeNumber, type ParameterReader } from '../query.ts';
import { orderSchema, orderStatus } from './order.ts';

/** The answer of `GET /partner/orders`. */
export const orderListSchema = Type.Object(
  {
    orders: Type.Array(orderSchema, { description: 'The last recorded first' }),
    nextCursor: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: '`cursor` of the next page; null at the end',
    }),
  },
  { $id: 'OrderList', title: 'OrderList', description: 'One page of the orders of an account' },
);

const limits = { min: 1, max: 200, standard: 50 } as const;
const aTime = (description: string) => ({
  description,
  schema: Type.String({ examples: ['2026-11-01T00:00:00Z'] }),
});

export const orderListParameters = {
  limit: {
    description: `At most so many orders; ${limits.standard} when not given`,
    schema: Type.Integer({ minimum: limits.min, maximum: limits.max }),
  },
  cursor: { description: '`nextCursor` of the page before, with the same filters', schema: Type.String() },
  status: { description: 'Only orders that are so now', schema: orderStatus },
  externalId: {
    description: 'Only orders of items with this identifier',
    schema: Type.String({ minLength: 1, maxLength: externalIdLengthMax }),
  },
  from: aTime('ISO 8601: only orders recorded then or later'),
  to: aTime('ISO 8601: only orders recorded before then'),
};

export interface OrderListQuery {
  readonly limit: number;
  /** The last order of the page before; null for the first page. */
  readonly cursor: { readonly createdAt: Date; readonly orderId: OrderId } | null;
  readonly filter: OrderListFilter;
}

export interface OrderListFilter {
  readonly status: OrderState | undefined;
  readonly externalId: string | undefined;
  readonly from: Date | undefined;
  readonly to: Date | undefined;
}

const identifier: ParameterReader<string> = (raw) =>
  raw !== '' && [...raw].length <= externalIdLengthMax
    ? raw
    : new BadValue(`must have 1 to ${externalIdLengthMax} characters`);

const readers = {
  limit: wholeNumber(limits),
  cursor: (raw: string) => raw,
  status: oneOf(orderStates),
  externalId: identifier,
  from: isoTime,
  to: isoTime,
};

/** Throws Refusal BAD_REQUEST, with details that name every bad parameter. */
export function readOrderListQuery(query: Readonly<Record<string, string>>): OrderListQuery {
  const { limit = limits.standard, cursor, status, externalId, from, to } = readQuery(query, readers);
  const filter = { status, externalId, from, to };
  return { limit, cursor: cursor === undefined ? null : readCursor(cursor, filter), filter };
}

export const writeOrderCursor = (
  { createdAt, orderId: last }: NonNullable<OrderListQuery['cursor']>,
  filter: OrderListFilter,
): string => writeListCursor([createdAt.toISOString(), last], filterText(filter));

const readCursor = (raw: string, filter: OrderListFilter): NonNullable<OrderListQuery['cursor']> =>
  readListCursor(raw, filterText(filter), ([at, last, ...rest]) => {
    const createdAt = cursorTime(at);
    const isPosition = createdAt !== undefined && typeof last === 'string' && rest.length === 0;
    return isPosition ? { createdAt, orderId: orderId(last) } : undefined;
  });

const filterText = ({ status, externalId, from, to }: OrderListFilter): string =>
  JSON.stringify([status, externalId, from, to]);
