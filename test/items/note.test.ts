import test from 'ava';
import type { Item } from '../../features/items/rules/item.ts';
import { theService } from '../../features/items/rules/journal.ts';
import { note } from '../../features/items/rules/note.ts';
import { aCaller, anItem, later } from '../support/an-item.ts';

const priced = (item: Item, n: number): Item =>
  note(item, { at: later(n), kind: 'price_changed', details: { from: n, to: n + 1 }, actor: aCaller });
const pricedOften = (item: Item, times: number): Item =>
  Array.from({ length: times }, (_, n) => n).reduce(priced, item);
const deleted = { kind: 'deleted', details: { isArchived: false } } as const;

test('a line of another kind or by another actor is kept, however many wait', (t) => {
  const full = pricedOften(anItem(), 200);
  const once = note(full, { ...deleted, at: later(200), actor: aCaller });
  const other = note(once, { ...deleted, at: later(201), actor: theService });
  t.deepEqual(
    other.journal.slice(-3).map(({ at }) => at),
    [later(199), later(200), later(201)],
  );
});

test('numbers of lines only grow, so that no line is taken for one that is stored', (t) => {
  const full = pricedOften(anItem(), 300);
  const numbers = full.journal.map(({ number }) => number);
  t.deepEqual(
    numbers,
    [...new Set(numbers)].toSorted((a, b) => a - b),
  );
  const [next] = priced({ ...full, journal: [] }, 1).journal;
  t.is(next?.number, full.journalNumber + 1);
});
