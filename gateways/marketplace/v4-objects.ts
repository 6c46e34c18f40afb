/**
 * The objects of the marketplace's REST v4 as data: the fields that go and come. The operations are in
 * v4-operations.ts. Written from its interface document (`v4-beta`) and, where that is silent, from its older
 * documentation and from clients that run against it.
 */

/** Where a fact is from; absent means `official`, the interface document itself. */
export type Certainty = 'official' | 'official of v3' | 'two clients' | 'one client' | 'inferred' | 'unknown';

/** `time`: ISO 8601, perhaps without a zone. `object`: an object whose fields are of no use here. */
export type ScalarType = 'int32' | 'int64' | 'double' | 'boolean' | 'text' | 'time' | 'base64' | 'object';

export interface Field {
  /** A {@link ScalarType}, or the name of an object of {@link v4Objects}. */
  readonly type: string;
  readonly list?: true;
  /** Of a request: it is refused without this field. */
  readonly required?: true;
  /** Of an answer: the field itself may be missing. Without this mark it is there, be it as null. */
  readonly optional?: true;
  /** null is taken, or given. Entries of a list are never null. */
  readonly nullable?: true;
  /** Of a number its value, of a text its length; in a list, of each entry. */
  readonly min?: number;
  readonly max?: number;
  readonly entriesMax?: number;
  /** The only numbers that are taken, or given. */
  readonly values?: readonly number[];
  readonly certainty?: Certainty;
}

export interface ObjectType {
  /** Of all its fields that have none of their own. */
  readonly certainty?: Certainty;
  readonly fields: Readonly<Record<string, Field>>;
}

const int32 = { type: 'int32' } as const;
const int64 = { type: 'int64' } as const;
const double = { type: 'double' } as const;
const flag = { type: 'boolean' } as const;
const maybeFlag = { type: 'boolean', optional: true } as const;
const time = { type: 'time' } as const;
/** Every text is nullable in the document. */
const text = { type: 'text', nullable: true } as const;
const int32OrNull = { type: 'int32', nullable: true } as const;
const doubleOrNull = { type: 'double', nullable: true } as const;
const timeOrNull = { type: 'time', nullable: true } as const;
const flagOrNull = { type: 'boolean', nullable: true } as const;
const int32s = { type: 'int32', list: true, nullable: true } as const;
const texts = { type: 'text', list: true, nullable: true } as const;
const doubles = { type: 'double', list: true, nullable: true } as const;
/** Objects that nothing here reads; null is allowed, because the document leaves that open for every object. */
const unread = { type: 'object', nullable: true, certainty: 'unknown' } as const;
const ownReference = {
  type: 'text',
  list: true,
  nullable: true,
  min: 1,
  max: 60,
  certainty: 'official of v3',
} as const;
const itemType = { type: 'int32', values: [1, 3, 4, 5] } as const;
const imageFormat = { type: 'int32', values: [0, 1, 2] } as const;
const requiredId = { type: 'int32', required: true, min: 1 } as const;
const pairs = { type: 'IdDescriptionPair', list: true } as const;

/** By name, which is the document's own where it has one. Unknown names are refused in requests. */
export const v4Objects: Readonly<Record<string, ObjectType>> = {
  FetchTokenRequest: {
    fields: { userId: requiredId, secretKey: { type: 'text', required: true, min: 32, max: 255 } },
  },
  Token: { fields: { authToken: text, hardExpirationTime: time } },
  UserInfo: {
    fields: {
      ...{ id: int32, alias: text, firstName: text, lastName: text, email: text, phoneNumber: text },
      ...{ address: text, zipCode: text, city: text, countryName: text, personalNumber: text },
      ...{ currencyCode: text, languageCodeIso2: text },
    },
  },
  SellerInfo: {
    fields: {
      ...{ hasShop: flag, isCompany: flag, personalMessage: text, totalRating: int32 },
      ...{ positiveFeedbackPercent: int32OrNull, detailedSellerRating: unread },
    },
  },
  /** Buyer, seller and bidder of items and transactions. Of sellers, `userId` was seen in place of `id`. */
  User: {
    certainty: 'inferred',
    fields: {
      ...{ id: int32, alias: text, firstName: text, lastName: text, email: text, totalRating: int32 },
      ...{ phoneNumber: text, mobilePhoneNumber: text, address: text, zipCode: text, city: text },
      ...{ countryName: text, transactionId: int32 },
    },
  },

  ItemRequest: {
    fields: {
      title: { type: 'text', required: true, min: 1, max: 80, certainty: 'official of v3' },
      description: { type: 'text', nullable: true, max: 7000 },
      descriptionLanguageCodeIso2: { type: 'text', nullable: true, min: 2, max: 2, certainty: 'two clients' },
      ownReferences: ownReference,
      categoryId: requiredId,
      /** Days; an absent number counts as 0 there. Overridden by `customEndDate`. */
      duration: { type: 'int32', required: true, min: 1, max: 14, certainty: 'official of v3' },
      customEndDate: timeOrNull,
      restarts: { type: 'int32', min: 0, max: 2, certainty: 'official of v3' },
      /** Whole kronor. None: left out, or 0; never null. */
      ...{ startPrice: { type: 'int32', min: 0 }, reservePrice: { type: 'int32', min: 0 } },
      buyItNowPrice: { type: 'int32', min: 0 },
      itemType: { type: 'int32', required: true, values: [1, 3] },
      /** 1 Sweden, 3 everywhere, 4 the EU. */
      acceptedBidderId: { type: 'int32', required: true, values: [1, 3, 4] },
      /** Two, and pick-up as a third. */
      shippingOptions: { type: 'ItemShipping', list: true, nullable: true, entriesMax: 3 },
      paymentOptionIds: int32s,
      ...{ itemAttributes: int32s, attributeValues: { type: 'ItemAttributeValues', nullable: true } },
      vat: int32OrNull,
      shippingCondition: { type: 'text', nullable: true, max: 500 },
      paymentCondition: { type: 'text', nullable: true, max: 500 },
      ...{ expoItemIds: int32s, campaignCode: text, autoCommit: flag, restartedFromItemId: int32OrNull },
    },
  },
  /** Exactly one of option and provider; `cost` in kronor, `shippingWeight` in kilograms. */
  ItemShipping: {
    fields: {
      cost: { type: 'int32', required: true, min: 0 },
      ...{ shippingOptionId: int32OrNull, shippingProviderId: int32OrNull, shippingProductId: int32OrNull },
      ...{ shippingProductIdSpecified: flag, shippingWeight: doubleOrNull, shippingWeightSpecified: flag },
      ...{ sellerSurcharge: int32OrNull, sellerSurchargeSpecified: flag },
      ...{ sellerDiscount: int32OrNull, sellerDiscountSpecified: flag },
    },
  },
  ItemAttributeValues: {
    fields: {
      terms: { type: 'TermValues', list: true, nullable: true },
      numbers: { type: 'NumberValues', list: true, nullable: true },
    },
  },
  TermValues: { fields: { id: { ...int32, required: true }, values: texts } },
  NumberValues: { fields: { id: { ...int32, required: true }, values: doubles } },
  QueuedRequestResponse: { fields: { requestId: int32, itemId: int32 } },
  /** JPEG is 0 or 1, GIF the other: sources differ. PNG is 2 in all. At most 4 MB of bytes. */
  AddItemImageRequest: {
    fields: {
      imageData: { type: 'base64', required: true },
      imageFormat: { ...imageFormat, required: true },
      hasMega: flag,
    },
  },
  /** `resultCode`: {@link resultBits}. */
  RequestResult: { fields: { requestId: int32, resultCode: { type: 'int32', min: 1, max: 511 }, message: text } },

  /** Prices in whole kronor; where `…Specified` is false there is none, and the number is 0. */
  Item: {
    fields: {
      ...{ id: int32, shortDescription: text, longDescription: text, categoryId: int32, itemType },
      ...{ ownReferences: texts, startDate: time, endDate: time, duration: int32, restarts: int32 },
      ...{ openingBid: int32, openingBidSpecified: flag, buyItNowPrice: int32, buyItNowPriceSpecified: flag },
      ...{ reservePrice: int32, reservePriceSpecified: flag, reservePriceReached: flagOrNull },
      ...{ reservePriceManuallySet: flag, maxBid: int32, maxBidSpecified: flag },
      ...{ nextBid: int32, nextBidSpecified: flag, totalBids: int32, vat: int32, vatSpecified: flag },
      status: { type: 'ItemStatus', nullable: true, optional: true, certainty: 'two clients' },
      statusId: { ...int32, certainty: 'unknown' },
      ...{ itemLink: text, thumbnailLink: text, imageLinks: texts },
      detailedImageLinks: { type: 'ImageLink', list: true, nullable: true },
      shippingOptions: { type: 'ItemShipping', list: true, nullable: true },
      ...{ shippingCondition: text, paymentOptions: int32s, paymentCondition: text, paymentTypeId: int32 },
      ...{ attributeValues: { type: 'AttributeValues', nullable: true }, itemAttributes: int32s },
      ...{ acceptedBuyerId: int32, acceptsPickup: flag, startQuantity: int32, remainingQuantity: int32 },
      ...{ seller: { type: 'User', nullable: true }, maxBidder: { type: 'User', nullable: true } },
      buyerList: { type: 'User', list: true, nullable: true },
      ...{ userSelectedEndDate: flag, bold: flag, featuredItem: flag, highlight: flag, thumbnail: flag, paypal: flag },
    },
  },
  /** The document shows it without fields, so it may come empty. */
  ItemStatus: { certainty: 'inferred', fields: { ended: maybeFlag, gotBidders: maybeFlag, gotWinner: maybeFlag } },
  ImageLink: { fields: { url: text, format: text } },
  AttributeValues: {
    fields: {
      termAttributeValues: { type: 'TermAttributeValue', list: true, nullable: true },
      numberAttributeValues: { type: 'NumberAttributeValue', list: true, nullable: true },
    },
  },
  TermAttributeValue: { fields: { id: int32, name: text, values: texts } },
  NumberAttributeValue: { fields: { id: int32, name: text, values: doubles } },
  ItemQuickInfo: { fields: { id: int32, itemType, creationDate: time } },
  UpdatedItemInfo: { fields: { id: int32, rowVersion: int64, itemType } },

  /** What is left out stays as it is. Buy-now can't be removed, a reserve can't be set. */
  UpdateItemPriceRequest: {
    fields: { openingPrice: { ...int32OrNull, min: 1 }, binPrice: { ...int32OrNull, min: 1 } },
  },
  UpdateItemPriceResult: {
    fields: { isSuccessful: flag, validationErrors: { type: 'UpdateItemPriceError', list: true, nullable: true } },
  },
  UpdateItemPriceError: { fields: { itemId: int32, errorMessage: text } },
  /** One item alone. A `binPrice` that is left out is removed; a reserve may be changed, never removed. */
  SetPricesNonShopItem: {
    fields: {
      ...{ id: requiredId, openingPrice: { type: 'int32', required: true, min: 1 } },
      ...{ reservedPrice: { type: 'ReservedPrice', nullable: true }, binPrice: { type: 'BinPrice', nullable: true } },
    },
  },
  ReservedPrice: { fields: { price: { type: 'int32', required: true, min: 1 } } },
  BinPrice: { fields: { price: { type: 'int32', required: true, min: 1 } } },
  SetPricesOnNonShopItemsResult: {
    fields: {
      isSuccessful: flag,
      validationErrors: { type: 'SetPricesOnNonShopItemsError', list: true, nullable: true },
    },
  },
  SetPricesOnNonShopItemsError: {
    fields: { item: { type: 'SetPricesNonShopItem', nullable: true }, errorMessage: text },
  },
  /** A restart is done later: `newItemId` is reserved. */
  RestartItemResult: {
    fields: { isSuccessful: flag, oldItemId: int32, newItemId: int32OrNull, validationError: text },
  },
  ItemRestarts: {
    fields: {
      ...{ ancestorItemId: int32, lastRestartedItemId: int32 },
      restartedItems: { type: 'RestartedItem', list: true, nullable: true },
    },
  },
  RestartedItem: { fields: { restartedItemId: int32, restartedAsItemId: int32, restartedDate: time } },

  /** Without integrated payment only the seller's own mark says that it is paid. */
  Transaction: {
    fields: {
      ...{ id: int32, date: time, amount: int32, lastUpdatedDate: time },
      ...{ isMarkedAsPaidConfirmed: flag, isMarkedAsShipped: flag, isShippingBooked: flag },
      ...{ isFeedbackLeftByBuyer: flag, isFeedbackLeftBySeller: flag },
      ...{ buyer: { type: 'User', nullable: true }, item: { type: 'TransactionItem', nullable: true } },
    },
  },
  TransactionItem: { fields: { id: int32, type: itemType, title: text, ownReferences: texts } },
  /** At least one mark. */
  TransactionStatusUpdateData: {
    fields: {
      ...{ transactionId: requiredId, markAsPaidConfirmed: flagOrNull },
      ...{ markedAsShipped: flagOrNull, markShippingBooked: flagOrNull },
    },
  },
  /** `shipTo` is null for auctions; payments are null until paid, and come with integrated payment alone. */
  SellerOrder: {
    fields: {
      ...{ orderId: int32, createdDate: time, expiresDate: timeOrNull, lastUpdatedDate: time, subTotal: int32 },
      buyer: { type: 'SellerOrderUser', nullable: true },
      seller: { type: 'SellerOrderUser', nullable: true },
      shipTo: { type: 'SellerOrderAddress', nullable: true, certainty: 'official of v3' },
      items: { type: 'SellerOrderItem', list: true, nullable: true },
      sellerOrderPayments: { type: 'SellerOrderPayment', list: true, nullable: true },
      ...{ shippingType: text, shippingCost: int32, shippingWeight: doubleOrNull, purchaseOrderId: { type: 'text' } },
    },
  },
  SellerOrderUser: {
    fields: {
      ...{ userId: int32, alias: text, firstName: text, lastName: text, email: text, phone: text },
      ...{ addressLine1: text, addressLine2: text, zipCode: text, city: text, countryName: text },
    },
  },
  SellerOrderAddress: {
    fields: { name: text, addressLine1: text, addressLine2: text, zipCode: text, city: text, countryName: text },
  },
  SellerOrderItem: {
    fields: {
      ...{ itemId: int32, type: itemType, title: text, quantity: int32, unitPrice: int32, vatRate: int32 },
      ...{ ownReferences: texts, merchantPartNumber: text },
    },
  },
  SellerOrderPayment: {
    fields: {
      ...{ paymentType: text, reference: text, amount: int32, paidDate: time, paymentCost: int32 },
      additionalInfo: { type: 'SellerOrderKeyValuePair', list: true, nullable: true },
    },
  },
  SellerOrderKeyValuePair: { fields: { key: text, value: text } },
  SetSellerOrderAsShippedResponse: { fields: { orderId: int32 } },

  IdDescriptionPair: { certainty: 'inferred', fields: { id: int32, description: text, value: text } },
  ItemFieldsResponse: {
    fields: {
      vat: int32s,
      itemAttributes: { ...pairs, nullable: true },
      paymentTypes: { ...pairs, nullable: true },
      shippingTypes: { ...pairs, nullable: true },
    },
  },
  /** `category` holds the categories below; a leaf has none, or null. */
  Category: {
    certainty: 'inferred',
    fields: { id: int32, name: text, category: { type: 'Category', list: true, nullable: true, optional: true } },
  },
  AttributeDefinition: {
    fields: {
      ...{ id: int64, key: text, name: text, description: text, attributeType: text, valueFormatting: text },
      ...{ minNumberOfValues: int32, maxNumberOfValues: int32, possibleTermValues: texts },
    },
  },
  GetShippingOptionsResponse: {
    fields: { productsPerWeightSpan: { type: 'ProductsPerWeightSpan', list: true, nullable: true } },
  },
  /** Kilograms. */
  ProductsPerWeightSpan: {
    fields: { weight: double, products: { type: 'ShippingProduct', list: true, nullable: true } },
  },
  ShippingProduct: {
    fields: {
      ...{ id: int32, name: text, price: int32, vatPercent: int32OrNull, weight: double },
      ...{ shippingProviderId: int32, shippingProvider: text, fromCountry: text, toCountry: text },
      ...{ weightExceededPenalty: int32, dimensionsExceededPenalty: int32, displayPenaltyWarning: flag },
      ...{ deliveryInformation: unread, packageRequirements: unread, termsAndConditions: unread },
    },
  },

  /** The body of every refusal; codes are names of the status, such as `BadRequest`. */
  ErrorAnswer: { fields: { error: { type: 'ErrorDetail' } } },
  ErrorDetail: { certainty: 'one client', fields: { code: text, message: text } },
};

/** The bits of a request's `resultCode`. The names are those of v3. */
export const resultBits = {
  Ok: 1,
  ImageProcessingError: 2,
  Error: 4,
  Timeout: 8,
  TryAgain: 16,
  UpdateNotAllowed: 32,
  ReachedMaximumActiveItemsThreshold: 64,
  WaitingToBeProcessed: 128,
  Uncommited: 256,
} as const;
