import { createHmac, randomBytes } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { newApiKey } from '../../../platform/security/api-key.ts';
import type { CallOptions, TestAccount } from '../../../test/support/api-world.ts';
import type { Cast } from './cast.ts';
import type { Operation } from './operations.ts';

export type Target = 'victim' | 'leaver' | 'member';

/** What is sent beside the request: credentials, and whatever else names an account. */
export interface Disguise {
  readonly options: CallOptions;
  /** Added to the query. */
  readonly query?: Readonly<Record<string, string>>;
}

/** A way to come as somebody one is not. */
export interface Attack {
  /** Whose identifiers are used. */
  readonly on: Target;
  readonly as: Disguise;
  /** The same of somebody exactly like it, who names what does not exist. */
  readonly twin: Disguise;
  /** Whose credential it is, where it is a good one. */
  readonly attacker?: TestAccount;
  readonly twinAttacker?: TestAccount;
  /** Every request of the operation is tried, not only the first: the credential is good where such a one is asked for. */
  readonly isThorough: (operation: Operation) => boolean;
  /** Operations that are left out: the credential is the right one of the right account, or says no more than another's. */
  readonly isLeftOut?: (operation: Operation) => boolean;
}

/** A column of the matrix. */
export interface Kind {
  readonly title: string;
  readonly says: string;
  readonly attacks: readonly Attack[];
}

const takes = (credential: 'key' | 'session') => (operation: Operation) =>
  operation.credential === credential || operation.credential === 'either';
const takesKey = takes('key');
const takesSession = takes('session');
const isPublic = ({ credential }: Operation): boolean => credential === 'none';
const never = (): boolean => false;

/** Every kind of credential that is not the account's own, in the order of the matrix. `shadow` makes names that nobody has. */
export function kindsOf(cast: Cast, shadow: (text: string) => string): readonly Kind[] {
  return [...strangers(cast), ...resellers(cast, shadow), ...sessions(cast), ...naming(cast, shadow)];
}

/** The same for both: there is no account behind it. */
const faceless = (options: CallOptions, isThorough: Attack['isThorough'] = never): Attack => ({
  on: 'victim',
  as: { options },
  twin: { options },
  isThorough,
});

/** Where a session is asked for, one key is like the other. */
const outOfBounds = (apiKey: string, isInBounds: Attack['isThorough'] = never): Attack => ({
  ...faceless({ apiKey }, takesKey),
  isLeftOut: (operation) => !takesKey(operation) || isInBounds(operation),
});

const strangers = ({ victim, sandboxes, strangers: { one, other } }: Cast): readonly Kind[] => [
  {
    title: 'nobody',
    says: 'no credential at all',
    attacks: [faceless({}, isPublic)],
  },
  {
    title: 'unknown key',
    says: 'an API key of the right form that was never issued',
    attacks: [faceless({ apiKey: newApiKey('live') })],
  },
  {
    title: 'revoked key',
    says: "the account's own API key after it was revoked",
    attacks: [faceless({ apiKey: victim.revokedKey })],
  },
  {
    title: 'own key, out of bounds',
    says: "the account's own API keys where they do not count: without the scope that the call needs, from an address that is not on their list, after their end",
    attacks: [
      ...victim.scopedKeys.map(({ scope, apiKey }) =>
        outOfBounds(apiKey, ({ keyScope = scope }) => keyScope === scope),
      ),
      outOfBounds(victim.elsewhereKey),
      outOfBounds(victim.expiredKey),
    ],
  },
  {
    title: "stranger's key",
    says: "another account's API key",
    attacks: [
      {
        on: 'victim',
        attacker: one,
        twinAttacker: other,
        isThorough: takesKey,
        as: { options: { apiKey: one.apiKey } },
        twin: { options: { apiKey: other.apiKey } },
      },
    ],
  },
  {
    title: 'own test key',
    says: "an API key of the account's own sandbox",
    attacks: [
      {
        on: 'victim',
        attacker: sandboxes.one,
        twinAttacker: sandboxes.other,
        isThorough: takesKey,
        isLeftOut: (operation) => !takesKey(operation),
        as: { options: { apiKey: sandboxes.one.apiKey } },
        twin: { options: { apiKey: sandboxes.other.apiKey } },
      },
    ],
  },
];

/** A key with `X-Partner-Account`, under every name that somebody may try. */
const partnerAccount =
  ({ on, one, other }: { on: Target; one: TestAccount; other: TestAccount }, shadow: (text: string) => string) =>
  (name: string, index = 0): Attack => ({
    on,
    attacker: one,
    twinAttacker: other,
    isThorough: never,
    // Where a session is asked for, one key is like the other.
    isLeftOut: (operation) => index > 0 && !takesKey(operation),
    as: { options: { apiKey: one.apiKey, headers: { 'x-partner-account': name } } },
    twin: { options: { apiKey: other.apiKey, headers: { 'x-partner-account': shadow(name) } } },
  });

function resellers(cast: Cast, shadow: (text: string) => string): readonly Kind[] {
  const { victim, leaver, siblings } = cast;
  const { one, other } = cast.resellers;
  const asReseller = partnerAccount({ on: 'leaver', one, other }, shadow);
  const asMember = partnerAccount({ on: 'victim', ...siblings }, shadow);
  /** Beside the operations that know no `member`, those that do: a session has no other way to name one. */
  const namingMember = (name: string): Attack => ({
    on: 'leaver',
    attacker: one,
    twinAttacker: other,
    isThorough: takesSession,
    isLeftOut: (operation) => !takesSession(operation),
    as: { options: { token: one.token }, query: { member: name } },
    twin: { options: { token: other.token }, query: { member: shadow(name) } },
  });
  const bySession = (on: Target): Attack => ({
    on,
    attacker: one,
    twinAttacker: other,
    isThorough: (operation) => on === 'member' && takesSession(operation),
    as: { options: { token: one.token } },
    twin: { options: { token: other.token } },
  });
  return [
    {
      title: "reseller's key, no member",
      says: "a reseller's API key with `X-Partner-Account` naming an account that is another reseller's member: by id, by that reseller's reference, by email",
      attacks: [leaver.id, leaver.reference, leaver.email].map(asReseller),
    },
    {
      title: "reseller's key, former member",
      says: "a reseller's API key with `X-Partner-Account` naming, by the reference it had, a member that has left",
      attacks: [asReseller(leaver.formerReference)],
    },
    {
      title: "reseller's session, no member",
      says: "a reseller's session with `?member=` naming an account that has left it and is another reseller's member: by id, by that reseller's reference, by the reference it had",
      attacks: [leaver.id, leaver.reference, leaver.formerReference].map(namingMember),
    },
    {
      title: "member's key, its reseller",
      says: "a member's API key with `X-Partner-Account` naming its reseller: by id, slug, email",
      attacks: [victim.id, victim.slug, victim.email].map(asMember),
    },
    {
      title: "reseller's session",
      says: "a reseller's session with the identifiers of its member, and of a member that has left: keys, endpoints, orders, connection are the member's own",
      attacks: [bySession('member'), bySession('leaver')],
    },
  ];
}

function sessions({ victim, strangers: { one, other } }: Cast): readonly Kind[] {
  return [
    {
      title: "stranger's session",
      says: "another account's session",
      attacks: [
        {
          on: 'victim',
          attacker: one,
          twinAttacker: other,
          isThorough: takesSession,
          as: { options: { token: one.token } },
          twin: { options: { token: other.token } },
        },
      ],
    },
    {
      title: 'expired session',
      says: "the account's own session after its time",
      attacks: [faceless({ token: victim.expiredToken })],
    },
    {
      title: 'forged session',
      says: "the account's session signed by another key, by none (`alg: none`), and with the claims changed",
      attacks: forgeriesOf(victim.token, one.token).map((token) => faceless({ token })),
    },
    {
      title: 'wrong kind',
      says: "the account's own API key where a session is asked for (as `x-api-key` and as Bearer), its session where a key is",
      attacks: [
        { ...faceless({ apiKey: victim.apiKey }), isLeftOut: takesKey },
        faceless({ token: victim.apiKey }),
        { ...faceless({ token: victim.token }), isLeftOut: takesSession },
        faceless({ apiKey: victim.token }),
      ],
    },
  ];
}

/** Tokens that say they are the account's. The last one has a good signature, of other claims. */
function forgeriesOf(token: string, othersToken: string): readonly string[] {
  const { header, payload } = jwt.decode(token, { complete: true }) ?? {};
  if (header === undefined || payload === undefined) throw new Error('the session is no JWT');
  const text = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString('base64url');
  const body = `${text(header)}.${text(payload)}`;
  const foreign = createHmac('sha256', randomBytes(32)).update(body).digest('base64url');
  const [, claims = ''] = token.split('.');
  const [othersHeader = '', , othersSignature = ''] = othersToken.split('.');
  return [
    `${body}.${foreign}`,
    `${text({ ...header, alg: 'none' })}.${claims}.`,
    `${othersHeader}.${claims}.${othersSignature}`,
  ];
}

/** Parameters and headers that would name an account, were there any. */
function naming({ victim, strangers: { one, other } }: Cast, shadow: (text: string) => string): readonly Kind[] {
  const names = ['member', 'memberUserId', 'account', 'accountId', 'userId', 'partnerAccount', 'X-Partner-Account'];
  const named = (value: string) => Object.fromEntries(names.map((name) => [name, value]));
  const headers = (value: string) => ({ 'x-account-id': value, 'x-user-id': value, 'x-forwarded-user': value });
  const withKey = ({ apiKey }: TestAccount): CallOptions => ({ apiKey });
  const withSession = ({ token }: TestAccount): CallOptions => ({ token });
  const asked = (
    credential: typeof withKey,
    say: (value: string) => Omit<Disguise, 'options'> & CallOptions,
  ): Attack => {
    const disguise = (account: TestAccount, value: string): Disguise => {
      const { query, headers: named } = say(value);
      const options = { ...credential(account), ...(named !== undefined && { headers: named }) };
      return { options, ...(query !== undefined && { query }) };
    };
    return {
      on: 'victim',
      attacker: one,
      twinAttacker: other,
      isThorough: never,
      isLeftOut: (operation) => !(credential === withKey ? takesKey(operation) : takesSession(operation)),
      as: disguise(one, victim.id),
      twin: disguise(other, shadow(victim.id)),
    };
  };
  return [
    {
      title: 'naming it',
      says: "a stranger's key or session with `?member=`, `?accountId=` and the like, and such headers, naming the account",
      attacks: [
        asked(withKey, (value) => ({ query: named(value) })),
        asked(withKey, (value) => ({ headers: headers(value) })),
        asked(withSession, (value) => ({ query: named(value) })),
        asked(withSession, (value) => ({ headers: { ...headers(value), 'x-partner-account': value } })),
      ],
    },
  ];
}
