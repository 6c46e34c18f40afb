import test from 'ava';
import { mongo } from 'mongoose';
import { NotAnswered, NotBegun } from '../../platform/concurrency/batcher.ts';
import { isStoreUnavailable } from '../../store/database/connection.ts';
import type { ItemRow } from '../../store/items/item-row.ts';
import { prepareWrite, bulkWriteItems } from '../../store/items/item-writes.ts';
import { anItem } from '../support/an-item.ts';

interface Failed {
  readonly index: number;
  readonly code: number;
  readonly errmsg: string;
}

/** What the driver throws: the failures of single operations, and what kept the others from being carried out, if anything. */
function bulkError(failures: readonly Failed[], cutOff?: Error): mongo.MongoBulkWriteError {
  const result = { getWriteErrors: () => failures, getWriteConcernError: () => undefined };
  const cause = cutOff ?? { message: 'some failed', code: 11_000, writeErrors: failures };

  return new mongo.MongoBulkWriteError(cause as never, result as never);
}

const failingWith = (error: Error): mongo.Collection<ItemRow> =>
  ({ bulkWrite: () => Promise.reject(error) }) as unknown as mongo.Collection<ItemRow>;

const three = [anItem(), anItem(), anItem()].map((next) =>
  prepareWrite({ previous: null, next }, { isAccepted: true }),
);
const overtaken: Failed = { index: 1, code: 11_000, errmsg: 'E11000 duplicate key' };

test('each learns of itself: stored, overtaken, or its own error', async (t) => {
  const refused: Failed = { index: 2, code: 10_334, errmsg: 'too large' };
  const outcomes = await bulkWriteItems(failingWith(bulkError([overtaken, refused])), three);
  t.is(outcomes[0], three[0]?.stored);
  t.is(outcomes[1], null);
  t.like(outcomes[2], { name: 'MongoServerError', message: 'too large', code: 10_334 });
});

test('what was cut off after a part has met its own failures is known of nobody: nothing counts as stored', async (t) => {
  const cut = bulkError([overtaken], new mongo.MongoNetworkError('connection closed'));
  const error = await t.throwsAsync(bulkWriteItems(failingWith(cut), three));
  t.is(error, cut);
  t.true(isStoreUnavailable(cut));
  t.false(isStoreUnavailable(bulkError([overtaken])));
});

test('what the driver wraps keeps its kind: out of reach, or a mistake of ours', (t) => {
  const noPrimary = new mongo.MongoServerError({ message: 'not primary', code: 10_107 });
  t.true(isStoreUnavailable(bulkError([], noPrimary)));
  // No snapshot that a majority has, right after a start; and what took longer than it was allowed to.
  for (const code of [134, 50]) t.true(isStoreUnavailable(new mongo.MongoServerError({ message: 'not now', code })));
  t.false(isStoreUnavailable(bulkError([], new mongo.MongoServerError({ message: 'no such stage', code: 40_324 }))));
  for (const kind of [NotBegun, NotAnswered]) t.true(isStoreUnavailable(new kind('waited')));
});
