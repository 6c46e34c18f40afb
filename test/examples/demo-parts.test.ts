import test from 'ava';
import { failures, summaryTable } from '../../examples/demo/summary.ts';
import { attributeProblems } from '../../examples/demo/verify-outcome.ts';
import { OutOfTime, waitUntil } from '../../examples/demo/wait-until.ts';
import { present } from '../support/clock.ts';

test('a number that is off is named with what was wanted and marked in the table', (t) => {
  const rows = [
    { name: 'auctions', wanted: 2, got: 2 },
    { name: '  sold', wanted: 1, got: 0 },
  ];
  t.deepEqual(failures(rows, ['listed more than once: A1']), ['sold: 1 wanted, 0 got', 'listed more than once: A1']);
  t.deepEqual([...summaryTable(rows).matchAll(/[✓✗]/g)].join(''), '✓✗');
});

test('nothing off means no failure', (t) => {
  t.deepEqual(failures([{ name: 'auctions', wanted: 2, got: 2 }], []), []);
});

test('what runs out of time says what is still missing', async (t) => {
  const looks = [['A1', 'A2'], ['A2']];
  const missing = async (): Promise<string[]> => looks.shift() ?? ['A2'];
  const error = await t.throwsAsync(
    waitUntil(missing, { what: 'items to be live', deadlineAt: present(1_000).getTime(), everyMs: 5 }),
    { instanceOf: OutOfTime },
  );
  t.regex(error.message, /items to be live; 1 missing: A2/);
});

test('attributes that came back changed are named; the slug may be another spelling of the same', (t) => {
  const item = {
    externalId: 'A1',
    account: null,
    title: '',
    price: 1,
    domain: { domain: 'bildelar', part: { 'a.b': '1' } },
  };
  t.deepEqual(attributeProblems({ item, attributes: { domain: 'auto_parts', part: { 'a.b': '1' } } }), []);
  t.deepEqual(attributeProblems({ item, attributes: { part: { a: { b: '1' } } } }), [
    'A1: part came back as {"a":{"b":"1"}}',
  ]);
});
