import test from 'ava';
import { readLine, UnreadableLine } from '../../../schemas/bulk-syncs/read-line.ts';
import { readBatchRow } from '../../../schemas/items/batch.ts';

/** The problems of a row of a batch, which are those of the same line of a bulk sync. */
function problemsOf(row: object): string[] {
  const read = readBatchRow(row);
  const details = 'refusal' in read ? (read.refusal.details ?? []) : [];
  try {
    readLine(JSON.stringify(row));
  } catch (error) {
    if (error instanceof UnreadableLine) {
      const { refusal, externalId } = error;
      if (JSON.stringify(refusal.details) !== JSON.stringify(details) || externalId !== read.externalId)
        throw new Error('a row and a line differ', { cause: error });
    }
  }
  return details.map(({ field, message }) => `${field} ${message}`);
}

const item = { title: 'a', price: 1, imageUrls: [] };

for (const [why, row, problems] of [
  [
    'no id under its name',
    { external_id: 'A', ...item },
    ['externalId is required', 'external_id is not a known field; did you mean externalId?'],
  ],
  [
    'no id, and a bad price',
    { externalid: 'A', ...item, price: 0 },
    ['externalId is required', 'price must be at least 1', 'externalid is not a known field; did you mean externalId?'],
  ],
  [
    'a number as id, and a misspelt title',
    { externalId: 7, titel: 'a', price: 1, imageUrls: [] },
    ['externalId must be a string', 'title is required', 'titel is not a known field; did you mean title?'],
  ],
  [
    'an empty id, a bad account and no images',
    { externalId: '', account: 7, title: 'a', price: 1 },
    ['externalId must not be empty', 'account must be a string', 'imageUrls is required'],
  ],
  [
    'a bad account beside an id',
    { externalId: 'A', account: 'x'.repeat(256), ...item, imageUrls: ['http://a.test/1.jpg'] },
    ['account must be at most 255 characters', 'imageUrls.0 must be an HTTPS URL: it begins with http://'],
  ],
  [
    'an attribute that is unknown',
    { ...item, domain: { domain: 'books', isbm: '1' } },
    ['externalId is required', 'domain.isbm is not a known field; did you mean isbn?'],
  ],
  ['nothing', {}, ['externalId is required', 'title is required', 'price is required', 'imageUrls is required']],
  ['a dot', { externalId: '.', ...item }, ["externalId must not be . or .., which a path can't hold"]],
  ['two dots', { externalId: '..', ...item }, ["externalId must not be . or .., which a path can't hold"]],
] as const)
  test(`every problem of a row is told at once: ${why}`, (t) => {
    t.deepEqual(problemsOf(row), [...problems]);
  });

test('a row that names its item and its member has no problem', (t) => {
  t.deepEqual(problemsOf({ externalId: 'A', account: 'butik', ...item }), []);
});
