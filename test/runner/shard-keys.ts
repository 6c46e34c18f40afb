/**
 * The collections that grow with the accounts, and the key by which their rows would be divided over shards. Every command of the
 * product names the first field of the key, and an upsert the whole key. Other collections stay on one shard (docs/evidence.md).
 */
const keys = new Map<string, readonly string[]>(
  Object.entries({
    items: ['accountId', 'externalId'],
    journal: ['accountId'],
    events: ['accountId'],
    event_counters: ['_id'],
    orders: ['accountId'],
    order_buyers: ['accountId'],
    audit: ['accountId'],
    request_log: ['accountId'],
    image_records: ['_id'],
    image_usage: ['_id'],
    image_claims: ['_id'],
    bulk_chunks: ['accountId'],
    deliveries: ['accountId'],
    delivery_attempts: ['accountId'],
    bulk_ids: ['uploadId'],
    bulk_errors: ['_id'],
    idempotency_keys: ['_id'],
  }),
);

export const keyOf = (collection: string): readonly string[] | undefined => keys.get(collection);
export const dividedCollections = (): readonly string[] => [...keys.keys()];

/** What may ask all shards, by the file that does it, and why. */
const allowed: Readonly<Record<string, { readonly why: string; readonly what: readonly string[] }>> = {
  'features/items/store/owed-items.ts': {
    why: 'the relay looks for what was not started, of all accounts',
    what: ['aggregate items by bulk', 'aggregate items by bulk, startAt', 'find items by bulk, startAt'],
  },
  'features/webhooks/store/waiting-deliveries.ts': {
    why: 'the same, for deliveries',
    what: ['find deliveries by startAt, waits'],
  },
  'features/relay/relay.ts': {
    why: 'the same, for the targets of what waits',
    what: ['aggregate deliveries by waits'],
  },
  'features/operations/store/service-counts.ts': {
    why: 'gauges of the whole service',
    what: [
      'aggregate items by blockedReason',
      'aggregate items by bulk',
      'aggregate items by bulk, startAt',
      'aggregate items by processing.waitingFor',
      'find items by bulk, startAt',
      'aggregate deliveries by waits',
      'find deliveries by waits',
    ],
  },
  'features/operations/store/stuck-rows.ts': {
    why: 'lists for operators, of all accounts',
    what: [
      'aggregate items by blockedReason, blockedSince',
      'aggregate items by $or, blockedReason, blockedSince',
      'aggregate items by bulk, startAt',
      'find deliveries by _id',
      'find items by _id',
      'find items by blockedReason, blockedSince',
      'find items by $or, blockedReason, blockedSince',
    ],
  },
  'features/items/store/resolve-search-terms.ts': {
    why: 'the bounds of the index name the account; a filter would read the documents',
    what: ['find items by '],
  },
  'features/webhooks/store/events.ts': {
    why: 'a worker looks for events that no reader has numbered for an hour',
    what: ['find events by isUnnumbered, storedAt'],
  },
  'features/images/store/image-records.ts': {
    why: 'the collector of images that no item uses',
    what: ['find image_records by lastClaimedAt, state', 'find image_records by markedAt, state'],
  },
  'features/images/store/image-claims.ts': {
    why: 'the collector of images, for what an upload left open',
    what: ['find image_claims by openedAt'],
  },
  'features/bulk-syncs/store/bulk-chunks.ts': {
    why: 'an upload has lines of several accounts',
    what: [
      'delete bulk_chunks by _id',
      'distinct bulk_chunks by isOpen, uploadId',
      'find bulk_chunks by isOpen, uploadId',
      'update bulk_chunks by isOpen, nextLine, uploadId',
      'update bulk_chunks by isOpen, uploadId',
    ],
  },
  'features/bulk-syncs/apply-chunk.ts': {
    why: 'the same',
    what: ['distinct bulk_chunks by isOpen, uploadId', 'find bulk_chunks by isOpen, uploadId'],
  },
  'features/relay/store/owed-kinds.ts': {
    why: 'the relay asks what is due, of all accounts',
    what: [
      'aggregate items by bulk, startAt',
      'aggregate deliveries by startAt, waits',
      'aggregate deliveries by waits',
    ],
  },
  'features/accounts/store/audit.ts': {
    why: 'a reseller reads what it did in the logs of its members',
    what: [
      'find journal by actor.accountId',
      'find journal by actor.accountId, actor.kind',
      'find journal by actor.accountId, actor.kind, externalId',
    ],
  },
  'features/accounts/store/encrypted-fields.ts': {
    why: 'the command that encrypts everything with the newest key',
    what: ['find idempotency_keys by _id, answerEncrypted'],
  },
  'features/orders/store/sales.ts': {
    why: 'the id of an order comes from the marketplace: that of another account must be noticed',
    what: ['find orders by _id'],
  },
  'features/operations/export-and-erase-buyer.ts': {
    why: 'a buyer who asks for it names no account',
    what: ['find order_buyers by emailKey'],
  },
  'features/operations/store/held-rows.ts': {
    why: 'the rows of one account, by hand',
    what: ['aggregate idempotency_keys by accountId', 'delete idempotency_keys by accountId'],
  },
  'features/operations/void-order.ts': {
    why: 'operators name an order by its id alone',
    what: ['find orders by _id'],
  },
  'features/orders/store/order-sums.ts': {
    why: 'a reseller owes on orders of its members, of former ones too',
    what: ['aggregate orders by commission.resellerAccountId, completedAt'],
  },
};

export const isAllowed = (file: string, what: string): boolean => allowed[file]?.what.includes(what) === true;
