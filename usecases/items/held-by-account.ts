import type { AccountId } from '../../core/ids.ts';

/** Of those who hold places, one entry for each place: the accounts with at least `most`. */
export function accountsWithAtLeast(most: number, holders: Iterable<AccountId>): AccountId[] {
  const counts = new Map<AccountId, number>();
  for (const account of holders) counts.set(account, (counts.get(account) ?? 0) + 1);
  return [...counts].filter(([, count]) => count >= most).map(([account]) => account);
}
