import test from 'ava';
import type { Item } from '../../../core/items/item.ts';
import { theService, type JournalKind } from '../../../core/items/journal.ts';
import { note, withoutStoredJournal } from '../../../core/items/note.ts';
import { aCaller, anItem, later } from '../../support/an-item.ts';

const noted = (item: Item, kind: JournalKind, n: number): Item =>
  note(item, { at: later(n), kind, message: `number ${n}`, actor: aCaller });
const repeated = (item: Item, kind: JournalKind, times: number): Item =>
  Array.from({ length: times }, (_, n) => n).reduce((of, n) => noted(of, kind, n), item);

test('while nobody stores them at most a hundred lines of one kind wait, the newest of them among them', (t) => {
  const item = repeated(anItem(), 'price_changed', 5_000);
  t.is(item.journal.length, 100);
  t.is(item.journal.at(-1)?.message, 'number 4999');
  t.is(item.journal[0]?.message, 'number 0');
});

test('a line of another kind or by another actor is kept, however many wait', (t) => {
  const full = repeated(anItem(), 'price_changed', 200);
  const other = note(noted(full, 'deleted', 200), {
    at: later(201),
    kind: 'deleted',
    message: 'number 201',
    actor: theService,
  });
  t.deepEqual(
    other.journal.slice(-3).map(({ message }) => message),
    ['number 199', 'number 200', 'number 201'],
  );
});

test('numbers of lines only grow, so that no line is taken for one that is stored', (t) => {
  const full = repeated(anItem(), 'price_changed', 300);
  const numbers = full.journal.map(({ number }) => number);
  t.deepEqual(
    numbers,
    [...new Set(numbers)].toSorted((a, b) => a - b),
  );
  t.deepEqual(withoutStoredJournal(full, full.journalNumber).journal, []);
  const [next] = noted(withoutStoredJournal(full, full.journalNumber), 'price_changed', 1).journal;
  t.is(next?.number, full.journalNumber + 1);
});
