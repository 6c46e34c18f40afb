import { mongo } from 'mongoose';
import type { AccountId } from '../../rules/ids.ts';
import type { SearchedTerm } from '../rules/search-terms.ts';
import type { ItemProblem } from '../../operations/rules/reasons.ts';
import { havingProblem, problemIndex, problemsMeant, termIndex } from './item-list-fields.ts';
import type { ItemRow } from './item-row.ts';

/** A search word in the form of the term index, or a problem in that of its own. */
export interface ResolvedTerm {
  readonly hint: mongo.Hint;
  /** A condition on the second field of the index, with exact bounds in it. */
  readonly condition: mongo.Filter<ItemRow>;
  /** There are few terms, so the index gives the items of all of them in the order of their creation. */
  readonly isListed: boolean;
  /** The same condition as an expression, for which the server uses no index. */
  readonly expression: object;
}

/** Keys per read of the index. */
const keysMax = 50;
/** The server merges up to this many terms in order. With more of them they are one range without an order. */
const termsMax = 24;
/** Most reads; each continues where the last one ended, at the next term. */
const readsMax = 6;

/**
 * The terms of an account's items that match a search word. A word without `start`, such as a search key, matches
 * itself alone. Reads index keys only, at most {@link keysMax} times {@link readsMax}, however many items there are.
 */
export async function resolveTerm(
  items: mongo.Collection<ItemRow>,
  account: AccountId,
  { whole, start }: SearchedTerm,
): Promise<ResolvedTerm> {
  const longer = start === undefined ? [] : await findTerms(items, account, start);
  if (longer !== null) return oneOf([...new Set([whole, ...longer])]);
  const prefix = start ?? whole;
  // `start` consists of letters and digits, so no character is special in a regular expression.
  return {
    hint: termIndex,
    condition: { searchTerms: new RegExp(`^${prefix}`, 'u') },
    isListed: false,
    expression: {
      $anyElementTrue: { $map: { input: '$searchTerms', in: { $eq: [{ $indexOfBytes: ['$$this', prefix] }, 0] } } },
    },
  };
}

const oneOf = (terms: readonly string[]): ResolvedTerm => ({
  hint: termIndex,
  condition: { searchTerms: { $in: [...terms] } },
  isListed: true,
  expression: { $gt: [{ $size: { $setIntersection: ['$searchTerms', { $literal: [...terms] }] } }, 0] },
});

/** A problem is searched like a term: by its index where few items have it, else in windows of the list. */
export const problemTerm = (problem: ItemProblem | 'any'): ResolvedTerm => ({
  hint: problemIndex,
  condition: havingProblem(problem),
  isListed: true,
  expression: { $in: ['$blockedReason', problemsMeant(problem)] },
});

/**
 * The terms that begin with `start`; null when there are too many. It skips from term to term, so a frequent term costs
 * no more than a rare one.
 */
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

/** The position in the index before the first item with the term, or with a later one. */
const boundary = (account: AccountId, term: string) => ({
  accountId: account,
  searchTerms: term,
  createdAt: new mongo.MaxKey(),
  _id: new mongo.MaxKey(),
});

/** With `returnKey` the document contains the index fields, so the list is replaced by a single term. */
function termOfKey(key: { readonly searchTerms: unknown }): string {
  if (typeof key.searchTerms === 'string') return key.searchTerms;
  throw new Error('the database gave a document in place of an index key');
}
