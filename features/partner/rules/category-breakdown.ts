import { sekFromOre } from '../../rules/money.ts';
import { type Total, nothing, plus, type Contribution } from './revenue.ts';

const categoriesShown = 10;

/** Covers all time, like the summary. Highest revenue first; equal revenues sort by name, so that the order is stable. */
export function breakDown(completed: readonly Contribution[]) {
  const byName = new Map<string, Total>();
  for (const sum of completed) byName.set(sum.category, plus(byName.get(sum.category) ?? nothing, sum));
  return [...byName]
    .filter(([, { orders }]) => orders > 0)
    .sort(([oneName, one], [otherName, other]) => other.grossOre - one.grossOre || (oneName < otherName ? -1 : 1))
    .slice(0, categoriesShown)
    .map(([category, { orders, grossOre }]) => ({ category, count: orders, revenue: sekFromOre(grossOre) }));
}
