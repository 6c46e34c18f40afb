import { definedShardKeys } from '../../platform/database/connection.ts';

/** The key by which the rows of a collection are divided over shards; undefined where they stay on one. */
export function keyOf(collection: string): readonly string[] | undefined {
  const key = Object.keys(definedShardKeys().get(collection) ?? {});
  return key.length === 0 ? undefined : key;
}

export const dividedCollections = (): readonly string[] =>
  [...definedShardKeys().keys()].filter((name) => keyOf(name) !== undefined);

/** What may ask all shards, by the file that does it, and why. */
const allowed: Readonly<Record<string, { readonly why: string; readonly what: readonly string[] }>> = {
  'features/items/store/owed-items.ts': {
    why: 'the relay looks for what was not started, of all accounts',
    what: ['aggregate items by bulk', 'aggregate items by bulk, startAt', 'find items by bulk, startAt'],
  },
  'features/webhooks/store/waiting-deliveries.ts': {
    why: 'the relay looks for deliveries that were not begun, of all accounts',
    what: ['find deliveries by startAt, waits'],
  },
  'features/relay/relay.ts': {
    why: 'the relay looks for targets with waiting deliveries, of all accounts',
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
  'features/operations/store/raise-numbers.ts': {
    why: 'a restore concerns all rows',
    what: ['update items by ', 'update orders by '],
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
    why: 'an upload has lines of several accounts',
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

/** Whose transactions may name several accounts, and why. Over two shards such a commit is as atomic, only dearer. */
const several: Readonly<Record<string, string>> = {
  'features/items/store/accept-writes.ts':
    'writes that come together share one; a member’s event has its reseller’s delivery',
  'features/resellers/connect-member.ts': 'who joins whom is in the logs of both',
  'features/resellers/store/member-connections.ts': 'a new reference of a member is in the logs of both',
  'features/resellers/leave-reseller.ts': 'who leaves whom is in the logs of both',
  'features/resellers/remove-member.ts': 'who removes whom is in the logs of both',
  'features/resellers/agreements.ts': 'the end of an agreement is in the logs of all members',
  'features/accounts/store/account-links.ts':
    'who takes access back leaves the reseller that was asked, in the logs of both',
  'features/items/store/item-writes.ts':
    '“unchanged” is confirmed for all callers of a turn at once; it writes nothing',
  'features/orders/store/confirm-commission.ts': 'a reseller confirms orders of its members, in the logs of both',
  'features/operations/void-order.ts': 'a voided order of a member is in its reseller’s log, too',
  'features/bulk-syncs/store/bulk-syncs.ts':
    'a reseller’s snapshot of a member waits for the member’s lines, and is in its own log',
};

export const mayNameSeveral = (file: string): boolean => file in several;
