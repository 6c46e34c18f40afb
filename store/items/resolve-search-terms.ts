import { mongo } from 'mongoose';
import type { AccountId } from '../../core/ids.ts';
import type { SearchedTerm } from '../../core/items/search-terms.ts';
import { termIndex } from './item-list-fields.ts';
import type { ItemRow } from './item-row.ts';

/** One word of a search, as the term index has it. */
export interface ResolvedTerm {
  /** `searchTerms` of an item that has it. Its bounds in the index are exact. */
  readonly condition: mongo.Filter<ItemRow>;
  /** Where there are few: the index then gives the items of all of them in the order of their creation. */
  readonly isListed: boolean;
  /** The same as an expression, which the server never takes for the bounds of an index. */
  readonly expression: object;
}

/** So many keys are read at once, to see which terms there are. */
const keysMax = 50;
/** The server merges so many terms in order. More of them are read as one range, without an order. */
const termsMax = 24;
/** A term that has more items than are read at once costs another read. */
const readsMax = 6;

/**
 * The terms of an account's items that a searched word finds. A word without a `start`, such as a search key, finds itself.
 * Reads index keys only, at most {@link keysMax} times {@link readsMax}, however many items there are.
 */
export async function resolveTerm(
  items: mongo.Collection<ItemRow>,
  account: AccountId,
  { whole, start }: SearchedTerm,
): Promise<ResolvedTerm> {
  const longer = start === undefined ? [] : await findTerms(items, account, start);
  if (longer !== null) return oneOf([...new Set([whole, ...longer])]);
  const prefix = start ?? whole;
  // `start` has letters and digits only, so nothing in it means something to a regular expression.
  return {
    condition: { searchTerms: new RegExp(`^${prefix}`, 'u') },
    isListed: false,
    expression: {
      $anyElementTrue: { $map: { input: '$searchTerms', in: { $eq: [{ $indexOfBytes: ['$$this', prefix] }, 0] } } },
    },
  };
}

const oneOf = (terms: readonly string[]): ResolvedTerm => ({
  condition: { searchTerms: { $in: [...terms] } },
  isListed: true,
  expression: { $gt: [{ $size: { $setIntersection: ['$searchTerms', { $literal: [...terms] }] } }, 0] },
});

/** The terms that begin with `start`; null when there are many. Skips from term to term, so a frequent one costs no more. */
async function findTerms(
  items: mongo.Collection<ItemRow>,
  account: AccountId,
  start: string,
): Promise<readonly string[] | null> {
  const found = new Set<string>();
  const max = boundary(account, `${start}\uFFFF`);
  for (let from = start, read = 0; read < readsMax; read += 1) {
    const keys = await items
      .find({}, { limit: keysMax, hint: termIndex, min: boundary(account, from), max, returnKey: true })
      .toArray();
    const terms = keys.map(termOfKey);
    for (const term of terms) found.add(term);
    if (found.size > termsMax) return null;
    const last = terms.at(-1);
    if (keys.length < keysMax || last === undefined) return [...found];
    // The next term that is longer, or later, than the last one.
    from = `${last}\u0000`;
  }
  return null;
}

/** The place in the index before the first item that has the term, or a later one. */
const boundary = (account: AccountId, term: string) => ({
  accountId: account,
  searchTerms: term,
  createdAt: new mongo.MaxKey(),
  _id: new mongo.MaxKey(),
});

/** With `returnKey` a document has the fields of the index, so one term in place of the list. */
function termOfKey(key: { readonly searchTerms: unknown }): string {
  if (typeof key.searchTerms === 'string') return key.searchTerms;
  throw new Error('the database gave a document in place of an index key');
}
