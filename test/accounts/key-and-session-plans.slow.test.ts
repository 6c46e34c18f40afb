import test from 'ava';
import { theService } from '../../features/items/rules/journal.ts';
import { accountId, sessionId } from '../../features/rules/ids.ts';
import { insertApiKey, listActiveKeys, revokeKey, type ApiKeyRow } from '../../features/accounts/store/api-keys.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import {
  findSessionByHandle,
  insertAccountAndSession,
  isSessionOpen,
  type SessionRow,
} from '../../features/accounts/store/sessions.ts';
import { closeTestStore, openTestStore } from '../support/open-test-store.ts';
import { present } from '../support/clock.ts';

let store: StoreConnection;
const mine = accountId('mine');
const at = present();
const day = 86_400_000;
const details = { keyId: 'k', name: 'test key', prefix: 'sk_live_' };
const audit = { accountId: mine, actor: theService, kind: 'api_key_revoked', details, at } as const;

const aKey = (n: number, revokedAt: Date | null): ApiKeyRow => ({
  _id: `key-${n}`,
  accountId: mine,
  hash: `hash-${n}`,
  prefix: 'sk_live_',
  name: 'K',
  createdAt: at,
  revokedAt,
  lastUsedAt: null,
});

const aSession = (id: string): SessionRow => ({
  _id: sessionId(id),
  accountId: mine,
  handleHash: `handle ${id}`,
  secretHash: 's',
  generation: 0,
  previous: null,
  createdAt: at,
  expiresAt: new Date(at.getTime() + day),
  endedAt: null,
  endedBy: null,
});

test.before('3,000 revoked keys of one account beside five active ones, and 3,000 sessions', async () => {
  store = await openTestStore();
  const keys = Array.from({ length: 3_005 }, (_, n) => aKey(n, n < 3_000 ? at : null));
  await store.connection.collection('api_keys').insertMany(keys as never[]);
  const sessions = Array.from({ length: 3_000 }, (_, n) => aSession(`s${n}`));
  await store.connection.collection('sessions').insertMany(sessions as never[]);
});
test.after.always(async () => {
  await closeTestStore(store);
});

test.serial('keys and sessions are found without looking at revoked keys or at other sessions', async (t) => {
  const database = store.connection.db;
  if (database === undefined) throw new Error('not connected');
  await database.command({ profile: 2 });
  t.is((await listActiveKeys(store, mine)).length, 5);
  const generated = { activeMax: 100, audit, confirm: () => Promise.resolve() };
  t.true(await insertApiKey(store, aKey(4_000, null), generated));
  t.true(await isSessionOpen(store, mine, { sessionId: sessionId('s7'), now: at }));
  t.is((await findSessionByHandle(store, 'handle s8'))?._id, sessionId('s8'));
  await database.command({ profile: 0 });
  const ns = { $in: ['api_keys', 'sessions'].map((name) => `${database.databaseName}.${name}`) };
  const profiled = await database
    .collection<{ planSummary?: string; docsExamined?: number; keysExamined?: number; hasSortStage?: boolean }>(
      'system.profile',
    )
    .find({ ns, planSummary: { $exists: true } })
    .toArray();
  t.true(profiled.length >= 4);
  for (const { planSummary, docsExamined = 0, keysExamined = 0, hasSortStage = false } of profiled) {
    t.notRegex(planSummary ?? '', /COLLSCAN/);
    t.true(docsExamined <= 6 && keysExamined <= 6, `${planSummary}: ${docsExamined} rows, ${keysExamined} keys`);
    t.false(hasSortStage);
  }
});

test.serial(
  'a revoked key goes after 90 days; its revocation repeated as it was is told as done, and logged once',
  async (t) => {
    const wish = { keyId: 'key-3001', at, audit: () => audit };
    t.true(await revokeKey(store, mine, wish));
    t.true(await revokeKey(store, mine, wish), 'a transaction that is repeated after a failover');
    t.false(await revokeKey(store, mine, { ...wish, at: new Date(at.getTime() + 1) }), 'another request');
    t.is(
      await store.connection
        .collection('audit')
        .countDocuments({ kind: 'api_key_revoked', 'details.name': 'test key' }),
      2,
    );
    const row = await store.connection
      .collection<{ _id: string; purgeAt?: Date }>('api_keys')
      .findOne({ _id: 'key-3001' });
    t.deepEqual(row?.purgeAt, new Date(at.getTime() + 90 * day));
    const indexes = await store.connection.collection('api_keys').indexes();
    t.true(indexes.some(({ key, expireAfterSeconds }) => key['purgeAt'] === 1 && expireAfterSeconds === 0));
  },
);

test.serial(
  'a registration repeated as it was is told as done; of another one with the same email nothing is stored',
  async (t) => {
    const account = { _id: mine, email: 'a@example.se', name: 'A', passwordHash: 'x', createdAt: at };
    const made = { account, session: aSession('first'), audits: [], mail: null };
    t.true(await insertAccountAndSession(store, made));
    t.true(await insertAccountAndSession(store, made));
    const other = { ...made, account: { ...account, _id: accountId('other') }, session: aSession('other') };
    t.false(await insertAccountAndSession(store, other));
  },
);
