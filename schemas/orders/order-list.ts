import Type from 'typebox';
import { problem } from '../../features/rules/field-problems.ts';
import { accountId, orderId, type AccountId, type OrderId } from '../../features/rules/ids.ts';
import { orderStates, type OrderState } from '../../features/orders/rules/order.ts';
import { externalIdFilter, externalIdLengthMax } from '../items/external-id.ts';
import {
  badQuery,
  createdSortParameter,
  createdSorts,
  cursorTime,
  isoTime,
  oneOf,
  readListCursor,
  readQuery,
  wholeNumber,
  writeListCursor,
  type CreatedSort,
} from '../query.ts';
import { nullableTime } from '../fields.ts';
import { orderSchema, orderStatus } from './order.ts';

/** The answer of `GET /integration/v1/orders` and `GET /partner/orders`. */
export const orderListSchema = Type.Object(
  {
    orders: Type.Array(orderSchema, {
      description: 'The last recorded first, or as `sort` says; with `updatedSince` by their last change, oldest first',
    }),
    nextCursor: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: '`cursor` of the next page; null at the end',
    }),
    nextUpdatedSince: nullableTime(
      '`updatedSince` to ask with next time, on the last page of a list with `updatedSince`; null otherwise. Some orders come again, and no change is missed.',
    ),
  },
  { $id: 'OrderList', title: 'OrderList', description: 'One page of the orders of an account' },
);

const limits = { min: 1, max: 200, standard: 50 } as const;
const aTime = (component: string, description: string) => ({
  component,
  description,
  schema: Type.String({ examples: ['2026-11-01T00:00:00Z'] }),
});

export const orderListParameters = {
  limit: {
    component: 'OrderListLimit',
    description: `At most so many orders; ${limits.standard} when not given`,
    schema: Type.Integer({ minimum: limits.min, maximum: limits.max }),
  },
  cursor: {
    component: 'OrderListCursor',
    description: '`nextCursor` of the page before, with the same filters',
    schema: Type.String(),
  },
  status: { component: 'OrderListStatus', description: 'Only orders that are so now', schema: orderStatus },
  externalId: {
    component: 'OrderListExternalId',
    description: 'Only orders of items with this identifier',
    schema: Type.String({ minLength: 1, maxLength: externalIdLengthMax }),
  },
  from: aTime('OrderListFrom', 'ISO 8601: only orders recorded then or later'),
  to: aTime('OrderListTo', 'ISO 8601: only orders recorded before then'),
  sort: createdSortParameter,
  updatedSince: aTime(
    'OrderListUpdatedSince',
    'ISO 8601: only orders changed then or later, oldest change first. To follow changes, go through all pages and ask again with `nextUpdatedSince` of the last',
  ),
};

export interface OrderListQuery {
  readonly limit: number;
  /** null for the first page. */
  readonly cursor: OrderCursor | null;
  readonly filter: OrderListFilter;
}

/** Position of a reader in the orders of one account. Used for another account, it would skip orders without notice. */
export interface OrderCursor {
  readonly account: AccountId;
  /** The last order of the previous page. */
  readonly place: { readonly at: Date; readonly orderId: OrderId };
  /** The `updatedSince` that the last page recommends for the next walk; set only when the query has `updatedSince`. */
  readonly settledUntil: Date | undefined;
}

export interface OrderListFilter {
  readonly status: OrderState | undefined;
  readonly externalId: string | undefined;
  readonly from: Date | undefined;
  readonly to: Date | undefined;
  readonly updatedSince: Date | undefined;
  readonly sort?: CreatedSort | undefined;
}

const readers = {
  limit: wholeNumber(limits),
  cursor: (raw: string) => raw,
  status: oneOf(orderStates),
  externalId: externalIdFilter,
  from: isoTime,
  to: isoTime,
  updatedSince: isoTime,
  sort: oneOf(createdSorts),
};

/** Throws Refusal BAD_REQUEST, with details that name every bad parameter. */
export function readOrderListQuery(query: Readonly<Record<string, string>>): OrderListQuery {
  const { limit = limits.standard, cursor, ...wanted } = readQuery(query, readers);
  const { status, externalId, from, to, updatedSince, sort } = wanted;
  if (updatedSince !== undefined && sort !== undefined)
    throw badQuery([problem('sort', 'excluded_by', { other: 'updatedSince' })]);
  const filter = { status, externalId, from, to, updatedSince, sort };
  return { limit, cursor: cursor === undefined ? null : readCursor(cursor, filter), filter };
}

/** The cursor of the next page, bound to account and filters. */
export const writeOrderCursor = (
  { account, place: { at, orderId: last }, settledUntil }: OrderCursor,
  filter: OrderListFilter,
): string =>
  writeListCursor(
    [account, at.toISOString(), last, ...(settledUntil === undefined ? [] : [settledUntil.toISOString()])],
    filterText(filter),
  );

const readCursor = (raw: string, filter: OrderListFilter): OrderCursor =>
  readListCursor(raw, filterText(filter), ([account, time, last, settled, ...rest]) => {
    const at = cursorTime(time);
    const settledUntil = cursorTime(settled);
    const isComplete = rest.length === 0 && (settledUntil === undefined) === (filter.updatedSince === undefined);
    if (typeof account !== 'string' || at === undefined || typeof last !== 'string' || !isComplete) return undefined;
    return { account: accountId(account), place: { at, orderId: orderId(last) }, settledUntil };
  });

const filterText = ({ status, externalId, from, to, updatedSince, sort }: OrderListFilter): string =>
  JSON.stringify([status, externalId, from, to, updatedSince, sort]);
