import type { Write } from './write-watch.ts';

/** Something that an account may do to another one, or learn of it, because the product is made so. */
export interface Exception {
  readonly operation: string;
  /** Titles of kinds; all where left out. */
  readonly kinds?: readonly string[];
  /**
   * `data`: the answer may say something of the account. `difference`: it may tell what exists from what does not.
   * `effect`: rows that name the account may change.
   */
  readonly allows: readonly ('data' | 'difference' | 'effect')[];
  readonly reason: string;
}

export const exceptions: readonly Exception[] = [
  {
    operation: 'getPublicProfile',
    allows: ['data', 'difference'],
    reason: 'The page of a reseller is public: slug, display name, description, whether one can join there.',
  },
  {
    operation: 'getImage',
    allows: ['difference'],
    reason: 'Hosted images are public; their addresses hold the hash of the content, so nobody can guess one.',
  },
  {
    operation: 'registerAccount',
    allows: ['difference'],
    reason:
      'Registering with an email address that has an account is 409 (specification: silent; interface decisions). Nothing else is told.',
  },
  {
    operation: 'joinReseller',
    kinds: ["stranger's session", 'naming it'],
    allows: ['data', 'difference', 'effect'],
    reason:
      "Joining is what a reseller's public page is for: it makes the caller's own membership and deal, which name the reseller.",
  },
  {
    operation: 'listMembers',
    kinds: ["reseller's session"],
    allows: ['data', 'difference'],
    reason: 'A reseller sees who its members are: id, name, its own reference, since when.',
  },
  {
    operation: 'findMembers',
    kinds: ["reseller's session"],
    allows: ['data', 'difference'],
    reason:
      'A reseller sees who its members are, whether they are connected, how many of their items are blocked, and their sales while they were its members, on which it pays commission.',
  },
  {
    operation: 'listMembersItems',
    kinds: ["reseller's session"],
    allows: ['data', 'difference'],
    reason: 'It is the list of the items of all members of a reseller, as `listItems` has them with `?member=`.',
  },
  {
    operation: 'getMembersAnalytics',
    kinds: ["reseller's session"],
    allows: ['difference'],
    reason: 'It adds up the items of all members of a reseller, which `listMembersItems` lists.',
  },
  {
    operation: 'search',
    kinds: ["reseller's session"],
    allows: ['data', 'difference'],
    reason: 'It finds the members of a reseller with what `findMembers` says of them.',
  },
  {
    operation: 'renameMember',
    kinds: ["reseller's session"],
    allows: ['data', 'difference', 'effect'],
    reason: "The reference under which a reseller keeps a member is the reseller's own.",
  },
  {
    operation: 'removeMember',
    kinds: ["reseller's session"],
    allows: ['difference', 'effect'],
    reason: 'A reseller may end the membership of its own member, which names both.',
  },
  {
    operation: 'getMyDeal',
    kinds: ["reseller's session"],
    allows: ['data', 'difference'],
    reason: 'A reseller is told what the completed sales of each member come to, because it owes commission on them.',
  },
  {
    operation: 'updateMyProfile',
    allows: ['data', 'difference'],
    reason: "Slugs are public addresses: asking for another account's is 409, which says it again and nothing else.",
  },
  {
    operation: 'listAuditLogEntries',
    kinds: ["reseller's session", "stranger's session", 'naming it'],
    allows: ['difference'],
    reason:
      'The log tells the caller what it has done itself, and of the two that are compared only one has joined a page or renamed a member.',
  },
  {
    operation: 'listLoggedCalls',
    allows: ['difference'],
    reason: 'The log tells the caller which calls it has made itself, and the two that are compared have made others.',
  },
];

export const isAllowed = (operation: string, kind: string, what: Exception['allows'][number]): boolean =>
  exceptions.some(
    (one) =>
      one.operation === operation && (one.kinds === undefined || one.kinds.includes(kind)) && one.allows.includes(what),
  );

/** Collections that hold nothing of any account, or nothing that could be kept apart, and why. */
export const sharedCollections: Readonly<Record<string, string>> = {
  ai_answers: 'answers of the language model, by the hash of what it was asked; no account stands in it',
  feed_epochs: 'one random value that cursors of the feed carry; no account stands in it',
  paid_calls:
    "counts calls of the language model and the vehicle registry by minute and day, the registry's by account too",
  vehicle_lookups: 'public data of the vehicle registry by plate',
};

/** Collections whose rows are written by the service itself at times of its own choosing; they hold nothing that anybody said. */
export const technicalCollections: Readonly<Record<string, string>> = {
  request_log:
    'each call with a key, in the log of the account of the key, a moment after the call; a test of its own looks at whose log each call is in',
  rate_buckets: 'how often an address, an email, a browser may still try to sign in or register',
};

/** Which rows an excepted effect may touch. */
export const isMembershipRow = ({ collection }: Write): boolean =>
  ['member_connections', 'deals', 'audit'].includes(collection);
