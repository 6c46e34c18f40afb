import test from 'ava';
import { joinPages, loadFromStart, pagesAgainMax } from '../../web/dashboard/src/api/join-pages.ts';

const rows = (...ids: string[]) => ids.map((id) => ({ id }));
const idOf = ({ id }: { id: string }) => id;
const idsOf = (held: { rows: readonly { id: string }[] }) => held.rows.map(idOf).join(' ');

test('the next page goes on after the rows that are there, and its cursor is the one to ask with', (t) => {
  const held = { rows: rows('a', 'b'), nextCursor: '2', pageCount: 1 };
  const joined = joinPages(held, { rows: rows('c', 'd'), nextCursor: null }, idOf);
  t.is(idsOf(joined), 'a b c d');
  t.like(joined, { nextCursor: null, pageCount: 2 });
});

test('a row that comes again on the next page stands where it came last', (t) => {
  const held = { rows: rows('a', 'b'), nextCursor: '2', pageCount: 1 };
  t.is(idsOf(joinPages(held, { rows: rows('b', 'c'), nextCursor: '3' }, idOf)), 'a b c');
});

/** Pages of two of a list, by the number of the first row; `asked` says which were. */
function listOf(...ids: string[]) {
  const asked: string[] = [];
  const load = async (cursor = '0') => {
    asked.push(cursor);
    const next = Number(cursor) + 2;
    return Promise.resolve({
      rows: rows(...ids.slice(Number(cursor), next)),
      nextCursor: next < ids.length ? String(next) : null,
    });
  };
  return { load, asked };
}

test('a list is read again as far as it was shown', async (t) => {
  const { load, asked } = listOf('a', 'b', 'c', 'd', 'e', 'f');
  const held = await loadFromStart(load, { pageCount: 2, idOf });
  t.is(idsOf(held), 'a b c d');
  t.like(held, { nextCursor: '4', pageCount: 2 });
  t.deepEqual(asked, ['0', '2']);
});

test('before anything is shown, one page is read', async (t) => {
  t.is(idsOf(await loadFromStart(listOf('a', 'b', 'c').load, { pageCount: 0, idOf })), 'a b');
});

test('a list that became shorter ends where it ends', async (t) => {
  const held = await loadFromStart(listOf('a', 'b', 'c').load, { pageCount: 5, idOf });
  t.is(idsOf(held), 'a b c');
  t.like(held, { nextCursor: null, pageCount: 2 });
});

test('a very long list is read again up to a limit, and goes on from there', async (t) => {
  const ids = Array.from({ length: 100 }, (_, index) => `row ${index}`);
  const { load, asked } = listOf(...ids);
  const held = await loadFromStart(load, { pageCount: 50, idOf });
  t.is(asked.length, pagesAgainMax);
  t.is(held.nextCursor, String(2 * pagesAgainMax));
});
