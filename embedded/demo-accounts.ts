import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

/** An account as the ready file shows it. */
export type DemoAccount =
  | {
      readonly role: 'reseller';
      readonly email: string;
      readonly password: string;
      readonly apiKey: string;
      readonly slug: string;
    }
  | {
      readonly role: 'member';
      readonly email: string;
      readonly password: string;
      readonly apiKey: string;
      readonly externalId: string;
    };

/** A webhook endpoint that seeding has created; `receiver` is its path at the simulator. */
export interface SeededEndpoint {
  readonly id: string;
  readonly url: string;
  readonly scope: 'self' | 'members';
  readonly secret: string;
}

/** One account, and what seeding has done for it so far. Kept in a file, so that keys survive restarts. */
export interface SeededAccount {
  readonly role: 'reseller' | 'member';
  readonly name: string;
  readonly email: string;
  readonly password: string;
  /** The reseller's reference of a member; the reseller has none. */
  readonly externalId?: string;
  /** The reseller's public page; members have none. */
  readonly slug?: string;
  readonly marketplaceUserId: string;
  userId?: string;
  apiKey?: string;
  hasAgreement?: boolean;
  isOperator?: boolean;
  isConnected?: boolean;
  hasReference?: boolean;
  hasMarketplace?: boolean;
  endpoints: SeededEndpoint[];
}

export interface AccountBook {
  readonly accounts: readonly SeededAccount[];
  /** The example catalogue has been pushed once. */
  hasExamples: boolean;
  /** The sales of earlier months were made. */
  hasPast?: boolean;
  /** The marketplace that was named in place of the simulator. */
  namedMarketplace?: string;
  /** Where the simulated marketplace was at the last start. */
  marketplaceUrl?: string;
}

/** The reseller comes first; the references are those of examples/catalogue. */
const people = [
  {
    role: 'reseller',
    name: 'Nordisk Återbruk AB',
    email: 'inkop@nordisk-aterbruk.example',
    slug: 'nordisk-aterbruk',
    marketplaceUserId: '410001',
  },
  {
    role: 'member',
    name: 'Butiken i Göteborg',
    email: 'butik@goteborg.example',
    externalId: 'butik-goteborg',
    marketplaceUserId: '410002',
  },
  {
    role: 'member',
    name: 'Butiken i Malmö',
    email: 'butik@malmo.example',
    externalId: 'butik-malmo',
    marketplaceUserId: '410003',
  },
  {
    role: 'member',
    name: 'Butiken i Umeå',
    email: 'butik@umea.example',
    externalId: 'butik-umea',
    marketplaceUserId: '410004',
  },
] as const;

/** Reads the accounts of an earlier start; empty accounts without a file. */
export function loadAccountBook(file: string): AccountBook {
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as AccountBook;
  const accounts = people.map((person) => ({
    ...person,
    password: `demo-${randomBytes(9).toString('base64url')}`,
    endpoints: [],
  }));
  return { accounts, hasExamples: false };
}

/** Stores the accounts, readable by their owner alone. */
export function saveAccountBook(file: string, book: AccountBook): void {
  writeFileSync(`${file}.new`, `${JSON.stringify(book, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** The complete accounts, reseller first. Throws when one has no key yet. */
export function demoAccounts(book: AccountBook): DemoAccount[] {
  return book.accounts.map(({ role, email, password, apiKey, slug, externalId }) => {
    if (apiKey === undefined) throw new Error(`${email} has no API key`);
    return role === 'reseller'
      ? { role, email, password, apiKey, slug: slug ?? '' }
      : { role, email, password, apiKey, externalId: externalId ?? '' };
  });
}
