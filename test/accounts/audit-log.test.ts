import { randomUUID } from 'node:crypto';
import test from 'ava';
import fc from 'fast-check';
import type { AuditActorKind } from '../../features/accounts/rules/audit-entry.ts';
import { mergeStretches, newestFirst, type LogPosition, type LogRow } from '../../features/accounts/rules/log-row.ts';
import { accountId, type AccountId } from '../../features/rules/ids.ts';
import { auditRows, lookedAtMax, readLogStretches, type LogFilter } from '../../features/accounts/store/audit.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { journalRows } from '../../features/items/store/journal.ts';
import { closeTestStore, openTestStore } from '../support/open-test-store.ts';
import { profileQueries } from '../support/profile-queries.ts';
import { checkProperty } from '../support/check-property.ts';
import { present } from '../support/clock.ts';

let store: StoreConnection;

test.before('a database of its own', async () => {
  store = await openTestStore();
});
test.after.always(async () => {
  await closeTestStore(store);
});

const noonMs = Date.UTC(2026, 10, 21, 12);
const own: LogFilter = { view: 'own' };

interface Sample {
  readonly place: 'journal' | 'audit';
  /** Milliseconds after noon: few, so that many rows have the same time. */
  readonly ms: number;
  readonly number: number;
  readonly actor: AuditActorKind;
  readonly kind: LogRow['kind'];
}

async function storeSamples(account: AccountId, samples: readonly Sample[]): Promise<LogRow[]> {
  const rows = samples.map(({ place, ms, number, actor, kind }) => ({
    place,
    row: {
      _id: place === 'audit' ? `aud_${randomUUID()}` : `${randomUUID()}:${number}`,
      accountId: account,
      number,
      kind,
      details: {},
      at: new Date(noonMs + ms),
      actor: { kind: actor, accountId: account, keyId: null, requestId: null },
      ...(place === 'journal' && { itemId: 'item', externalId: number % 2 === 0 ? 'even' : 'odd' }),
      purgeAt: present(86_400_000),
    },
  }));
  const of = (wanted: Sample['place']) => rows.filter(({ place }) => place === wanted).map(({ row }) => row);
  if (of('audit').length > 0) await auditRows(store).collection.insertMany(of('audit') as never);
  if (of('journal').length > 0) await journalRows(store).insertMany(of('journal') as never);
  return rows.map(({ row: { _id, ...row } }) => {
    const sample = { ...row, id: _id, externalId: row.externalId ?? null };
    return sample as unknown as LogRow;
  });
}

/** All pages, as a reader walks through them. */
async function readAll(
  account: AccountId,
  filter: LogFilter,
  limit: number,
): Promise<{ ids: string[]; pages: number }> {
  const ids: string[] = [];
  let before: LogPosition | null = null;
  for (let pages = 1; ; pages += 1) {
    const page = mergeStretches(await readLogStretches(store, account, { filter, before, limit }), limit);
    ids.push(...page.rows.map(({ id }) => id));
    if (page.end === null) return { ids, pages };
    before = page.end;
  }
}

const sample = fc.record<Sample>({
  place: fc.constantFrom('journal', 'audit'),
  ms: fc.integer({ min: 0, max: 3 }),
  number: fc.integer({ min: 1, max: 4 }),
  actor: fc.constantFrom('dashboard', 'reseller'),
  kind: fc.constantFrom('created', 'updated'),
});

// specification: newest-first-each-entry
test('every page size, filter and tie: each entry is met once, newest first', async (t) => {
  const property = fc.asyncProperty(
    fc.array(sample, { maxLength: 40 }),
    fc.integer({ min: 1, max: 7 }),
    fc.record(
      {
        kind: fc.constantFrom('created' as const, 'updated' as const),
        actor: fc.constantFrom('dashboard' as const, 'reseller' as const),
        externalId: fc.constantFrom('even', 'odd'),
        since: fc.integer({ min: 0, max: 4 }).map((ms) => new Date(noonMs + ms)),
        until: fc.integer({ min: 0, max: 4 }).map((ms) => new Date(noonMs + ms)),
      },
      { requiredKeys: [] },
    ),
    async (samples, limit, wanted) => {
      const account = accountId(randomUUID());
      const rows = await storeSamples(account, samples);
      const filter = { ...own, ...wanted };
      const expected = rows
        .filter((row) => wanted.kind === undefined || row.kind === wanted.kind)
        .filter((row) => wanted.actor === undefined || row.actor.kind === wanted.actor)
        .filter((row) => wanted.externalId === undefined || row.externalId === wanted.externalId)
        .filter((row) => wanted.since === undefined || row.at >= wanted.since)
        .filter((row) => wanted.until === undefined || row.at < wanted.until)
        .toSorted(newestFirst)
        .map(({ id }) => id);
      t.deepEqual((await readAll(account, filter, limit)).ids, expected);
    },
  );
  await checkProperty(t, property, { numRuns: 60 });
});

// specification: newest-first-each-entry
test('entries that come while somebody reads change nothing on the pages that follow', async (t) => {
  const account = accountId(randomUUID());
  const entries = Array.from(
    { length: 10 },
    (_, ms) => ({ ms, number: 1, actor: 'dashboard', kind: 'updated' }) as const,
  );
  const rows = await storeSamples(
    account,
    entries.map((entry, index) => ({ ...entry, place: index % 2 === 0 ? 'audit' : 'journal' })),
  );
  const first = mergeStretches(await readLogStretches(store, account, { filter: own, before: null, limit: 4 }), 4);
  await storeSamples(account, [{ place: 'audit', ms: 50, number: 1, actor: 'dashboard', kind: 'updated' }]);
  const rest = mergeStretches(
    await readLogStretches(store, account, { filter: own, before: first.end, limit: 100 }),
    100,
  );
  t.deepEqual(
    [...first.rows, ...rest.rows].map(({ id }) => id),
    rows.toSorted(newestFirst).map(({ id }) => id),
  );
});

// specification: bounded-reading-kept-400
test.serial(
  'a page looks at a bounded number of keys, however much and however little there is of a kind',
  async (t) => {
    const account = accountId(randomUUID());
    const many = Array.from({ length: lookedAtMax * 2 + 500 }, (_, ms): Sample => ({
      place: 'journal',
      ms,
      number: 1 + (ms % 2),
      actor: ms % 1_000 === 0 ? 'reseller' : 'api_key',
      kind: ms === 1 ? 'sold' : 'updated',
    }));
    await storeSamples(account, many);
    const filters: Record<string, LogFilter> = {
      everything: own,
      'a rare kind': { ...own, kind: 'sold' },
      'a kind there is none of': { ...own, kind: 'api_key_revoked' },
      'an actor': { ...own, actor: 'reseller' },
      'an item': { ...own, externalId: 'even' },
      'an item and a kind': { ...own, externalId: 'even', kind: 'sold' },
      'what a reseller did': { view: 'acting' },
      'a time': { ...own, since: new Date(noonMs + 100), until: new Date(noonMs + 200) },
    };
    for (const [name, filter] of Object.entries(filters)) {
      const lines = await profileQueries(store, () =>
        readLogStretches(store, account, { filter, before: null, limit: 50 }),
      );
      t.true(lines.length > 0, name);
      for (const { planSummary = '', keysExamined = 0, docsExamined = 0 } of lines) {
        t.true(planSummary.startsWith('IXSCAN'), `${name}: ${planSummary}`);
        const isChecked = filter.kind !== undefined || filter.actor !== undefined;
        t.true(keysExamined <= (isChecked ? lookedAtMax + 2 : 53), `${name}: ${keysExamined} keys`);
        t.true(docsExamined <= (isChecked ? lookedAtMax + 2 : 53), `${name}: ${docsExamined} documents`);
      }
    }
  },
);

test.serial('a needle is found over several pages', async (t) => {
  const account = accountId(randomUUID());
  const many = Array.from({ length: lookedAtMax + 100 }, (_, ms): Sample => ({
    place: 'journal',
    ms,
    number: 1,
    actor: 'api_key',
    kind: ms === 3 ? 'sold' : 'updated',
  }));
  const rows = await storeSamples(account, many);
  const { ids, pages } = await readAll(account, { ...own, kind: 'sold' }, 50);
  t.deepEqual(ids, [rows[3]?.id]);
  t.is(pages, 2);
});
