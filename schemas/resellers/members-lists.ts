import Type from 'typebox';
import { marketplaceStatuses, serviceStatuses } from '../../features/items/rules/transitions.ts';
import { orderStates } from '../../features/orders/rules/order.ts';
import { externalIdFilter, externalIdLengthMax } from '../items/external-id.ts';
import { itemListParameters, listEntrySchema, problemReader } from '../items/item-list.ts';
import {
  cursorParameter,
  isoTime,
  oneOf,
  readListCursor,
  readQuery,
  timeAndId,
  wholeNumber,
  writeListCursor,
} from '../query.ts';
import {
  webhookDeliveryParameters,
  webhookDeliverySchema,
  webhookDeliveryStatuses,
} from '../webhooks/webhook-delivery.ts';
import { orderListParameters } from '../orders/order-list.ts';
import { orderSchema } from '../orders/order.ts';

const member = {
  memberUserId: Type.String({ description: 'Whose it is' }),
  memberExternalId: Type.String({ description: 'Your reference for that member' }),
};
const nextCursor = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  description: '`cursor` of the next page; null at the end',
});

const membersItemSchema = Type.Object(
  { ...listEntrySchema.properties, ...member },
  { $id: 'MembersItem', description: 'One item of a member' },
);
export const membersItemListSchema = Type.Object(
  { items: Type.Array(membersItemSchema, { description: 'By creation, newest first' }), nextCursor },
  { $id: 'MembersItemList', description: 'One page of the items of all members' },
);

const membersOrderSchema = Type.Object(
  { ...orderSchema.properties, ...member },
  { $id: 'MembersOrder', description: 'One sale of a member' },
);
export const membersOrderListSchema = Type.Object(
  { orders: Type.Array(membersOrderSchema, { description: 'The last recorded first' }), nextCursor },
  { $id: 'MembersOrderList', description: 'One page of the orders of all members that share theirs' },
);

const membersDeliverySchema = Type.Object(
  { ...webhookDeliverySchema.properties, ...member },
  { $id: 'MembersDelivery', description: 'One attempt at an endpoint of yours, about an item of a member' },
);
export const membersDeliveryListSchema = Type.Object(
  { deliveries: Type.Array(membersDeliverySchema, { description: 'The newest first' }), nextCursor },
  { $id: 'MembersDeliveryList', description: 'One page of the attempts about all members' },
);

const limits = { min: 1, max: 200, standard: 50 } as const;
const paging = {
  limit: {
    component: 'MembersListLimit',
    description: `At most so many rows; ${limits.standard} when not given`,
    schema: Type.Integer({ minimum: limits.min, maximum: limits.max }),
  },
  cursor: cursorParameter,
};
const externalIdParameter = {
  component: 'MembersExternalId',
  description: 'Only what is about items with this identifier, of whichever member',
  schema: Type.String({ minLength: 1, maxLength: externalIdLengthMax }),
};

export const membersItemParameters = {
  ...paging,
  serviceStatus: itemListParameters.serviceStatus,
  marketplaceStatus: itemListParameters.marketplaceStatus,
  problem: itemListParameters.problem,
  externalId: externalIdParameter,
};
export const membersOrderParameters = {
  ...paging,
  status: orderListParameters.status,
  externalId: externalIdParameter,
  from: orderListParameters.from,
  to: orderListParameters.to,
};

export const membersDeliveryParameters = {
  ...paging,
  memberExternalId: {
    component: 'MembersDeliveriesAbout',
    description: 'Only attempts about the member with this reference of yours',
    schema: Type.String({ minLength: 1, maxLength: externalIdLengthMax }),
  },
  status: webhookDeliveryParameters.status,
  externalId: externalIdParameter,
  from: webhookDeliveryParameters.from,
  to: webhookDeliveryParameters.to,
};

const pageReaders = { limit: wholeNumber(limits), cursor: (raw: string) => raw };

export type MembersItemQuery = ReturnType<typeof readMembersItemQuery>;
export type MembersOrderQuery = ReturnType<typeof readMembersOrderQuery>;

/** Throws Refusal BAD_REQUEST, with details that name every bad parameter. */
export function readMembersItemQuery(query: Readonly<Record<string, string>>) {
  const readers = {
    ...pageReaders,
    serviceStatus: oneOf(serviceStatuses),
    marketplaceStatus: oneOf(marketplaceStatuses),
    problem: problemReader,
    externalId: externalIdFilter,
  };
  const { limit = limits.standard, cursor, ...filters } = readQuery(query, readers);
  const { serviceStatus, marketplaceStatus, externalId, problem } = filters;
  const filter = { serviceStatus, marketplaceStatus, externalId, problem };
  return { limit, filter, behind: cursor === undefined ? null : readPlace(cursor, filter) };
}

/** Throws Refusal BAD_REQUEST, with details that name every bad parameter. */
export function readMembersOrderQuery(query: Readonly<Record<string, string>>) {
  const readers = {
    ...pageReaders,
    status: oneOf(orderStates),
    externalId: externalIdFilter,
    from: isoTime,
    to: isoTime,
  };
  const { limit = limits.standard, cursor, status, externalId, from, to } = readQuery(query, readers);
  const filter = { status, externalId, from, to };
  return { limit, filter, behind: cursor === undefined ? null : readPlace(cursor, filter) };
}

export type MembersDeliveryQuery = ReturnType<typeof readMembersDeliveryQuery>;

/** Throws Refusal BAD_REQUEST, with details that name every bad parameter. */
export function readMembersDeliveryQuery(query: Readonly<Record<string, string>>) {
  const readers = {
    ...pageReaders,
    memberExternalId: externalIdFilter,
    status: oneOf(webhookDeliveryStatuses),
    externalId: externalIdFilter,
    from: isoTime,
    to: isoTime,
  };
  const { limit = limits.standard, cursor, memberExternalId, status, externalId, from, to } = readQuery(query, readers);
  const filter = { status, externalId, from, to };
  const behind = cursor === undefined ? null : readPlace(cursor, { ...filter, memberExternalId });
  return { limit, filter, memberExternalId, behind };
}

interface Place {
  readonly at: Date;
  readonly id: string;
}

/** The cursor names no account, because the caller's members at the time of each page decide whose rows are shown. */
export const writeMembersCursor = ({ at, id }: Place, filter: object): string =>
  writeListCursor([at.toISOString(), id], filterText(filter));

const readPlace = (raw: string, filter: object): Place => readListCursor(raw, filterText(filter), timeAndId);

const filterText = (filter: object): string => JSON.stringify(Object.values(filter));
