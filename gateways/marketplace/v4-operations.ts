import type { Certainty, Field } from './v4-objects.ts';

/**
 * The marketplace's REST v4 as data: every operation that is used here; its objects are in v4-objects.ts. Adapter,
 * simulator and probe are each compared with this table, so that none drifts.
 */

export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** A parameter in braces is an int32; `{orderIds}` is a comma list of them. */
  readonly path: string;
  /** The headers: `application` is X-App-Id and X-App-Key; `user` is these with X-User-Id and X-User-Token. */
  readonly credential: 'none' | 'application' | 'user';
  /** A list is sent by repeating the name. */
  readonly query?: Readonly<Record<string, Field>>;
  /** Name of the object that is sent as JSON; absent: no body. */
  readonly request?: string;
  /** Success is always 200; null: without a body. */
  readonly answer: Field | null;
  /** Of the operation's existence and its answer's type. */
  readonly certainty?: Certainty;
}

const int32 = { type: 'int32' } as const;
const int64 = { type: 'int64' } as const;
const time = { type: 'time' } as const;
const flag = { type: 'boolean' } as const;
const ids = { type: 'int32', list: true } as const;
const pairs = { type: 'IdDescriptionPair', list: true } as const;
const activeFilter = { type: 'int32', values: [0, 1, 2] } as const;
const itemTypeFilter = { type: 'int32', values: [0, 1, 2, 3] } as const;
/** 0 all, 1 running, 2 ended: the numbers are certain, the names inferred. */
const itemFilters = {
  ...{ categoryId: int32, filterActive: activeFilter, filterItemType: itemTypeFilter },
  ...{ minEndDate: time, maxEndDate: time },
} as const;

const ofApplication = { method: 'GET', credential: 'application' } as const;
const ofUser = { method: 'GET', credential: 'user' } as const;
const post = { method: 'POST', credential: 'user' } as const;
const put = { method: 'PUT', credential: 'user' } as const;
const listings = '/v4/listings';
const referenceData = '/v4/reference-data';

/**
 * Lists come whole, as bare arrays: there are no pages. Every call of `createItem` makes another item, because there is
 * no key of idempotency. A price changes at once; only `isSuccessful` says whether it did.
 */
export const v4Operations = {
  readInterfaceDocument: {
    ...ofApplication,
    path: '/v4/swagger/v4/swagger.json',
    credential: 'none',
    answer: { type: 'object' },
  },
  readTime: { ...ofApplication, path: `${referenceData}/time`, answer: time },
  readBidderTypes: { ...ofApplication, path: `${referenceData}/accepted-bidder-types`, answer: pairs },
  readItemTypes: { ...ofApplication, path: `${referenceData}/item-types`, answer: pairs },
  readFieldValues: {
    ...ofApplication,
    path: `${referenceData}/item-field-values`,
    answer: { type: 'ItemFieldsResponse' },
  },
  readShippingOptions: {
    ...{ ...ofApplication, path: `${referenceData}/shipping-options`, answer: { type: 'GetShippingOptionsResponse' } },
    query: { fromCountryCodes: { type: 'text', list: true }, categoryIds: ids },
  },
  readCategories: { ...ofApplication, path: '/v4/categories', answer: { type: 'Category', list: true } },
  readAttributeDefinitions: {
    ...{ ...ofApplication, path: '/v4/categories/{categoryId}/attribute-definitions' },
    answer: { type: 'AttributeDefinition', list: true },
  },

  fetchToken: {
    ...{ ...post, path: '/v4/auth/token', credential: 'application' },
    ...{ request: 'FetchTokenRequest', answer: { type: 'Token' } },
  },
  readMe: { ...ofUser, path: '/v4/users/me', answer: { type: 'UserInfo' } },
  readSellerInfo: { ...ofUser, path: '/v4/users/{userId}/seller-info', answer: { type: 'SellerInfo' } },

  createItem: {
    ...{ ...post, path: `${listings}/items`, request: 'ItemRequest', answer: { type: 'QueuedRequestResponse' } },
  },
  addImage: { ...post, path: `${listings}/items/{requestId}/images`, request: 'AddItemImageRequest', answer: null },
  commit: { ...post, path: `${listings}/items/{requestId}/commit`, answer: null },
  /** No row, or 404, for a request without a result. */
  readResults: {
    ...{ ...ofUser, path: `${listings}/request-results`, query: { requestIds: ids } },
    answer: { type: 'RequestResult', list: true },
  },
  changePrices: {
    ...{ ...put, path: `${listings}/items/prices`, request: 'SetPricesNonShopItem' },
    answer: { type: 'SetPricesOnNonShopItemsResult' },
  },
  changePrice: {
    ...{ ...put, path: `${listings}/items/{itemId}/price`, request: 'UpdateItemPriceRequest' },
    answer: { type: 'UpdateItemPriceResult' },
  },
  readItem: { ...ofUser, path: `${listings}/items/{itemId}`, answer: { type: 'Item' } },
  /** true: it is ended. false, or 400: it is not. */
  endItem: { ...ofUser, method: 'DELETE', path: `${listings}/items/{itemId}`, answer: flag },
  restartItem: { ...post, path: `${listings}/items/{itemId}/restart`, answer: { type: 'RestartItemResult' } },
  readSellerItems: {
    ...{ ...ofUser, path: `${listings}/seller-items`, query: { ...itemFilters, maxStartDate: time } },
    answer: { type: 'Item', list: true },
  },
  readUpdatedItems: {
    ...{ ...ofUser, path: `${listings}/updated-seller-items`, query: { rowVersion: int64 } },
    answer: { type: 'UpdatedItemInfo', list: true },
  },
  readTransactions: {
    ...{ ...ofUser, path: `${listings}/seller-transactions`, answer: { type: 'Transaction', list: true } },
    /** 2 new, 4 new and changed: the numbers are certain, the names inferred. */
    query: { minTransactionDate: time, maxTransactionDate: time, filter: { type: 'int32', values: [2, 4] } },
  },
  /** Its answer has neither buyer nor item. */
  setTransactionStatus: {
    ...{ ...put, path: `${listings}/transaction-status`, request: 'TransactionStatusUpdateData' },
    answer: { type: 'Transaction' },
  },

  readPublicItem: { ...ofApplication, path: '/v4/items/{itemId}', answer: { type: 'Item' } },
  readRestarts: { ...ofApplication, path: '/v4/items/{itemId}/restarts', answer: { type: 'ItemRestarts' } },
  readQuickInfo: {
    ...{
      ...ofApplication,
      path: '/v4/items/seller/{userId}/quick-info',
      answer: { type: 'ItemQuickInfo', list: true },
    },
    query: { ...itemFilters, minCreatedDate: time, maxCreatedDate: time },
  },

  readOrders: {
    ...{ ...ofUser, path: '/v4/orders', answer: { type: 'SellerOrder', list: true } },
    /** Mode 0: by creation; 1: by the last change. The names are inferred. */
    query: { fromDate: time, toDate: time, queryDateMode: { type: 'int32', values: [0, 1] } },
  },
  readOrdersById: { ...ofUser, path: '/v4/orders/{orderIds}', answer: { type: 'SellerOrder', list: true } },
  shipOrder: { ...post, path: '/v4/orders/{orderId}/ship', answer: { type: 'SetSellerOrderAsShippedResponse' } },
} as const satisfies Readonly<Record<string, Operation>>;

export type OperationName = keyof typeof v4Operations;
