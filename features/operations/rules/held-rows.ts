import type { AccountId } from '../../rules/ids.ts';

/** An account whose rows are looked for, with what else they are found by. */
export interface Holder {
  readonly id: AccountId;
  /** null for a sandbox. */
  readonly email: string | null;
  /** This one, and former ones that no other account has now. */
  readonly addresses: readonly string[];
  /** Where mails wait that were asked for with this address alone. */
  readonly mailQueue: string | null;
  /** Resellers whose member it is or was. */
  readonly resellers: readonly AccountId[];
  /** Uploads of bulk syncs that it has sent, or another one for it alone. */
  readonly uploads: readonly string[];
}

/** A filter of MongoDB; null: no row can match. */
export type Filter = Readonly<Record<string, unknown>> | null;

/** What one collection holds of an account. */
export interface Held {
  /** Its own rows, which an export has and an erasure deletes. */
  readonly own?: (holder: Holder) => Filter;
  /** Rows of others that tell of it, which an erasure deletes. */
  readonly about?: (holder: Holder) => Filter;
  /** `own` takes some of the uploads: there may be many thousands. */
  readonly isByUpload?: true;
  /** Rows of others that tell of it and stay, with this change. */
  readonly blank?: (holder: Holder) => { readonly filter: Filter; readonly change: object };
  /** Own rows that an export leaves out, because they have nothing but ids, hashes and ciphertexts. */
  readonly isUnreadable?: true;
  /** Own rows that stay while they match, and what comes after them as well; a sandbox has none. */
  readonly isBusy?: Readonly<Record<string, unknown>>;
  /** Own rows stay for the books, without these fields (docs/personal-data.md); those of a sandbox are deleted. */
  readonly without?: Readonly<Record<string, null | '' | false>>;
  /** Goes when nothing else is left, or after the pictures. */
  readonly after?: 'all' | 'pictures';
}

const ofAccount = ({ id }: Holder): Filter => ({ accountId: id });
const byId = ({ id }: Holder): Filter => ({ _id: id });
const ofImages = ({ id }: Holder): Filter => ({ _id: { $gt: `${id}/`, $lt: `${id}0` } });

const own: Held = { own: ofAccount };
const single: Held = { own: byId };
/** Of an own delivery `aboutAccountId` is the account itself. */
const toTargets: Held = {
  own: ofAccount,
  about: ({ id, resellers }) => ({ accountId: { $in: resellers }, aboutAccountId: id }),
};

/**
 * Every collection: what it holds of an account, or in words why an erasure has nothing to do there. An erasure goes from the
 * first to the last, so what tells where other rows are comes after them. A test compares this with the database.
 */
export const heldRows: Readonly<Record<string, Held | string>> = {
  items: { own: ofAccount, isBusy: { hasListingUp: true } },
  journal: own,
  events: own,
  event_counters: { own: byId, isUnreadable: true },
  deliveries: toTargets,
  delivery_attempts: toTargets,
  webhook_recoveries: own,
  webhook_endpoints: own,
  webhook_settings: single,
  order_buyers: own,
  // The sum, the numbers and the times are what the books need.
  orders: {
    own: ofAccount,
    without: {
      externalId: '',
      carrier: null,
      trackingNumber: null,
      shippingMethod: null,
      isBuyerAwaited: false,
      isShippingOwed: false,
    },
  },
  bulk_errors: {
    own: ({ uploads }) => ({ $or: uploads.map((id) => ({ _id: { $gt: `${id}:`, $lt: `${id};` } })) }),
    isByUpload: true,
  },
  bulk_ids: { own: ({ uploads }) => ({ uploadId: { $in: uploads } }), isByUpload: true, isUnreadable: true },
  bulk_chunks: own,
  // A reseller's snapshot of a member names the member.
  bulk_syncs: { own: ({ id }) => ({ actingAccountId: id }), about: ({ id }) => ({ accountId: id }) },
  image_claims: { own: ofImages, isUnreadable: true },
  image_records: { own: ofImages, after: 'pictures' },
  image_usage: { own: byId, after: 'pictures' },
  marketplace_connections: single,
  marketplace_logins: { own: ofAccount, isUnreadable: true },
  listing_defaults: single,
  api_keys: own,
  sessions: own,
  idempotency_keys: { own: ofAccount, isUnreadable: true },
  request_log: { own: ofAccount, about: ({ id, resellers }) => ({ accountId: { $in: resellers }, memberId: id }) },
  mail_links: { own: ofAccount, isUnreadable: true },
  mails: {
    own: ({ id, mailQueue }) => ({ queue: { $in: [id, mailQueue ?? id] } }),
    about: ({ addresses }) => ({ 'mail.email': { $in: addresses } }),
  },
  profiles: single,
  join_requests: { own: byId, about: ({ id }) => ({ resellerAccountId: id }) },
  member_invitations: {
    own: ({ id }) => ({ resellerAccountId: id }),
    about: ({ id, addresses }) => ({
      $or: [{ joinedAccountId: id }, { joinedAccountId: null, email: { $in: addresses } }],
    }),
    // Another account has joined by it. A reseller has one invitation for each address.
    blank: ({ addresses }) => ({
      filter: { email: { $in: addresses } },
      change: { email: { $concat: ['erased ', '$_id'] } },
    }),
  },
  member_connections: { own: ({ id }) => ({ $or: [{ memberAccountId: id }, { resellerAccountId: id }] }) },
  subscriptions: single,
  payment_events: own,
  // Rows of 0.9.0 do not say for whom; they are a cache.
  ai_answers: { about: ({ id }) => ({ $or: [{ askedFor: id }, { askedFor: { $exists: false } }] }) },
  // What an erasure leaves stays.
  audit: { own: ({ id }) => ({ accountId: id, kind: { $ne: 'account_erased' } }) },
  // Versions have ids and per cents, by which commissions on orders are explained. They also tell which resellers it had.
  deals: { own: ofAccount, without: {} },
  // Last, because its row tells which account has the address.
  accounts: { own: byId, after: 'all' },

  marketplace_call_counts: 'numbers of calls by account id, deleted after 5 days',
  paid_calls: 'numbers of calls, of look-ups by account id, deleted after two days',
  rate_buckets: 'numbers of calls by ids and hashes of addresses, deleted within days',
  vehicle_lookups: 'what a registry said of a plate, for all accounts and naming none, deleted after 30 days',
  feed_epochs: 'one row of the service',
  schema: 'one row of the service',
};
