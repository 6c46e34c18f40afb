import test from 'ava';
// Defines every collection that has due rows, with its indexes.
import '../../../compose/worker.ts';
import { dueFrom, type Due } from '../../../core/due.ts';
import type { StoreConnection } from '../../../store/database/connection.ts';
import {
  claimDue,
  dueKinds,
  findDue,
  findOldestDue,
  listDueQueues,
  type DueKind,
} from '../../../store/dispatch/due-rows.ts';
import { profileQueries, type ProfiledQuery } from '../../store/support/profile-queries.ts';
import { later, noon } from '../../support/an-item.ts';
import { closeTestStore, openTestStore } from '../../support/open-test-store.ts';

/** 100,000 of each kind, where 100 lines owe work that is not due yet, and three have some that is. */
const rowCount = 100_000;
const lineCount = 100;
const kinds = ['deliveries'] as const;
let store: StoreConnection;

const nameOf = (line: number): string => `line-${String(line).padStart(3, '0')}`;

/** A third is at rest; the rest is due in an hour, by turns for each part. */
function dueOf(kind: DueKind, n: number): Due | null {
  const { bys } = dueKinds[kind];
  const by = bys[Math.floor(n / lineCount) % bys.length];
  return n % 3 === 0 || by === undefined ? null : dueFrom(by, later(3_600_000 + n));
}

const aRow = (kind: DueKind, n: number, due: Due | null) => ({
  ...{ _id: `${kind}-${n}`, accountId: nameOf(n % lineCount), target: nameOf(n % lineCount), externalId: `A${n}` },
  ...{ state: 'pending', version: 1, due },
});

test.before('a database with a great many rows', async () => {
  store = await openTestStore();
  const options = { ordered: false, writeConcern: { w: 1, journal: false } } as const;
  for (const kind of kinds) {
    const rows = store.connection.collection<{ _id: string }>(dueKinds[kind].collection);
    for (let from = 0; from < rowCount; from += 5_000) {
      const numbers = Array.from({ length: 5_000 }, (_, n) => from + n);
      await rows.insertMany(
        numbers.map((n) => aRow(kind, n, dueOf(kind, n))),
        options,
      );
    }
    await rows.insertMany([7, 8, 9].map((n) => aRow(kind, rowCount + n, dueFrom('worker', later(-n)))));
  }
});
test.after.always(() => closeTestStore(store));

const profiled = (work: () => Promise<unknown>): Promise<ProfiledQuery[]> => profileQueries(store, work, 'any');

const told = (query: ProfiledQuery): string => JSON.stringify(query).slice(0, 600);

test.serial('a look for due lines reads one index key for each line, and no document', async (t) => {
  const queries = await profiled(async () => t.is((await listDueQueues(store, noon)).length, 3));
  t.true(queries.length >= 1);
  for (const query of queries) {
    t.is(query.docsExamined ?? 0, 0, told(query));
    t.notRegex(query.planSummary ?? '', /COLLSCAN/, told(query));
  }
  const keys = queries.reduce((sum, { keysExamined }) => sum + keysExamined, 0);
  // Two keys for each line: its first, and the one behind its last.
  t.true(keys <= 2 * (lineCount + 1) * 5, `${keys} keys`);
});

test.serial('the oldest of all lines is found by one index key for each line, for each part', async (t) => {
  for (const kind of kinds)
    for (const by of dueKinds[kind].bys) {
      const [query] = await profiled(() => findOldestDue(store, kind, by));
      if (query === undefined) return t.fail();
      t.is(query.docsExamined ?? 0, 0, told(query));
      t.true((query.keysExamined ?? 0) <= 2 * (lineCount + 1), told(query));
    }
});

test.serial('the due rows of lines are read without the others, and claimed by their ids', async (t) => {
  for (const kind of kinds) {
    const keys = Array.from({ length: 25 }, (_, n) => nameOf(n));
    const queries = await profiled(async () => {
      const rows = await findDue(store, { kind, by: 'worker', keys, now: noon, limit: 50 });
      t.is(rows.length, 3);
      t.is((await claimDue(store, kind, { rows, now: noon })).length, 3);
    });
    t.true(queries.length >= 4);
    for (const query of queries) {
      t.true((query.docsExamined ?? 0) <= 3, told(query));
      t.true((query.keysExamined ?? 0) <= 2 * keys.length + 3, told(query));
    }
  }
});

test.serial('a line with a great many due rows gives as many as are asked for, and reads no more', async (t) => {
  const [query] = await profiled(async () => {
    const wish = { kind: 'deliveries', by: 'workflow', keys: [nameOf(2)], now: later(7_200_000), limit: 50 } as const;
    t.is((await findDue(store, wish)).length, 50);
  });
  t.is(query?.docsExamined, 50);
});
