import Type from 'typebox';
import { orderId, type OrderId } from '../../core/ids.ts';
import { orderStates, type OrderState } from '../../core/orders/order-states.ts';
import { externalIdLengthMax } from '../items/external-id.ts';
import { badQuery, BadValue, isoTime, oneOf, readQuery, wholeNumber, type ParameterReader } from '../query.ts';
import { orderSchema } from './order.ts';

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
  status: { description: 'Only orders that are so now', schema: Type.Enum([...orderStates]) },
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

/** Only a position: whose orders are shown is decided by the credential, so a made-up cursor shows nothing new. */
export function writeOrderCursor(
  { createdAt, orderId: last }: NonNullable<OrderListQuery['cursor']>,
  filter: OrderListFilter,
): string {
  return Buffer.from(JSON.stringify([createdAt.toISOString(), last, ...filterParts(filter)])).toString('base64url');
}

function readCursor(raw: string, filter: OrderListFilter): OrderListQuery['cursor'] {
  const [at, last, ...filteredBy] = partsOf(raw);
  const createdAt = new Date(typeof at === 'string' ? at : Number.NaN);
  if (Number.isNaN(createdAt.getTime()) || typeof last !== 'string' || filteredBy.length !== 4)
    throw badQuery([{ field: 'cursor', message: 'must be the nextCursor of an earlier answer' }]);
  if (JSON.stringify(filteredBy) !== JSON.stringify(filterParts(filter)))
    throw badQuery([
      { field: 'cursor', message: 'belongs to other filters: they must stay the same from page to page' },
    ]);
  return { createdAt, orderId: orderId(last) };
}

function partsOf(raw: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(raw, 'base64url').toString('utf8'));
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}

const filterParts = ({ status, externalId, from, to }: OrderListFilter): readonly string[] => [
  status ?? '',
  externalId ?? '',
  from?.toISOString() ?? '',
  to?.toISOString() ?? '',
];
