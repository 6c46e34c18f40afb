import test from 'ava';
// Define all collections.
import '../../api/http/create-app.ts';
import '../../api/routes.ts';
import '../../compose/api.ts';
import '../../compose/operations.ts';
import '../../compose/worker.ts';
import '../../features/operations/open-administration.ts';
import { heldRows } from '../../features/operations/rules/held-rows.ts';
import { definedIndexes } from '../../platform/database/connection.ts';
import { readableRow } from '../../features/operations/rules/readable-row.ts';

test('each collection of the database is decided on: what an export has of it and an erasure does to it', (t) => {
  const names = [...definedIndexes().keys()];
  t.true(names.length > 30);
  t.deepEqual(Object.keys(heldRows).toSorted(), names.toSorted());
});

test('a row for its account has no secret of any depth and no operator; bytes are text, hashes of content stay', (t) => {
  const row = {
    hash: 'a',
    tokenEncrypted: 'b',
    previous: { secretHash: 'c', rotatedAt: new Date(0) },
    actors: [{ kind: 'operator', operator: 'Kim' }],
    operator: true,
    contentHash: 'd',
    body: { buffer: Buffer.from('{"å":1}') },
  };
  t.deepEqual(readableRow(row), {
    previous: { rotatedAt: new Date(0) },
    actors: [{ kind: 'operator' }],
    operator: true,
    contentHash: 'd',
    body: '{"å":1}',
  });
});
