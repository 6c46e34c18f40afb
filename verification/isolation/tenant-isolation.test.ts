import test from 'ava';
import { writeEvidence } from '../../test/support/write-evidence.ts';
import { rowsNaming } from './support/belongings.ts';
import { sharedCollections, technicalCollections } from './support/exceptions.ts';
import { inspectKind, type Outcome } from './support/inspect.ts';
import { startIsolationWorld, type IsolationWorld } from './support/isolation-world.ts';
import { matrixPage } from './support/matrix-page.ts';
import { operations } from './support/operations.ts';

// Every operation of the interface document with the identifiers of another account: no data, no effect. A new operation needs
// a line in support/examples.ts (test/rules/isolation-examples.test.ts says so with every change), a new collection rows in
// support/furnish.ts (the first test).

let isolation: IsolationWorld;
let before: readonly string[];
const outcomes: Outcome[] = [];

const rowsOfVictims = async (): Promise<readonly string[]> => {
  const { world, cast } = isolation;
  const found = await Promise.all([cast.victim, cast.leaver, cast.member].map((one) => rowsNaming(world, one)));
  const rows = found.flat().filter(({ collection }) => !Object.hasOwn(technicalCollections, collection));
  return [...new Set(rows.map(({ collection, text }) => `${collection} ${text}`))].toSorted();
};

/** Memberships and deals of the attackers, which they may change (support/exceptions.ts). */
function isOfAttackers(row: string): boolean {
  const { strangers, resellers } = isolation.cast;
  const ids = [strangers, resellers].flatMap(({ one, other }) => [one.id, other.id]);
  return /^(deals|member_connections|audit) /.test(row) && ids.some((id) => row.includes(id));
}

test.before('everybody is there', async () => {
  isolation = await startIsolationWorld();
  before = await rowsOfVictims();
});
test.after.always(async () => {
  // A run of some tests alone has a part of the matrix.
  const isWhole = new Set(outcomes.map(({ kind }) => kind)).size > isolation.kinds.length;
  if (isWhole) writeEvidence('tenant-isolation.md', matrixPage({ operations, kinds: isolation.kinds, outcomes }));
  await isolation.close();
});

// specification: those-calls-are-real
test.serial('the account that is attacked has rows in every collection', (t) => {
  const furnished = new Set(before.map((row) => row.split(' ')[0]));
  const unfurnished = { ...sharedCollections, ...technicalCollections };
  const all = Object.keys(isolation.world.store.connection.models);
  t.deepEqual(
    all.filter((name) => !furnished.has(name) && !Object.hasOwn(unfurnished, name)),
    [],
    'make a row in support/furnish.ts, or say in support/exceptions.ts why the collection holds nothing of an account',
  );
});

test.serial('the account that is attacked has used an Idempotency-Key wherever one is honoured', (t) => {
  const idempotent = operations.filter(({ isIdempotent }) => isIdempotent).map(({ id }) => id);
  // A reseller can not join a reseller.
  t.deepEqual(
    idempotent.filter((id) => !isolation.inspection.keyed.has(id)),
    ['joinReseller'],
  );
});

for (const title of [
  ...['nobody', 'unknown key', 'revoked key', 'own key, out of bounds', "stranger's key", 'own test key'],
  ...["reseller's key, no member", "reseller's key, former member", "reseller's session, no member"],
  ...["member's key, its reseller", "reseller's session"],
  ...["stranger's session", 'expired session', 'forged session', 'wrong kind', 'naming it'],
]) {
  // specification: every-operation-with-another
  test.serial(`no operation gives data or has an effect on the account: ${title}`, async (t) => {
    const kind = isolation.kinds.find((one) => one.title === title);
    if (kind === undefined) throw new Error(`there is no kind ${title}`);
    const { problems, outcomes: found } = await inspectKind(isolation.inspection, kind);
    outcomes.push(...found);
    t.log(found.length);
    t.is(problems.join('\n'), '');
  });
}

// specification: every-operation-with-another
test.serial(
  'after all of it no row of an attacked account has changed, and nothing was sent to its webhooks',
  async (t) => {
    const after = await rowsOfVictims();
    const [old, now] = [new Set(before), new Set(after)];
    const changed = [...before.filter((row) => !now.has(row)), ...after.filter((row) => !old.has(row))];
    t.is(changed.filter((row) => !isOfAttackers(row)).join('\n'), '');
    t.is(isolation.cast.arrived(), 0);
  },
);

test.serial('every call is in the log of the account whose key was sent, and in no other', async (t) => {
  const { connection } = isolation.world.store;
  await isolation.world.served.parts.requestRecorder?.settle();
  const keys = await connection.collection<{ _id: string; accountId: string }>('api_keys').find().toArray();
  const owners = new Map(keys.map(({ _id, accountId }) => [_id, accountId]));
  const calls = await connection
    .collection('request_log')
    .find({}, { readConcern: { level: 'local' } })
    .toArray();
  t.true(calls.length > operations.length);
  t.deepEqual(
    calls.filter(({ keyId, accountId }) => owners.get(String(keyId)) !== accountId),
    [],
  );
});

// specification: those-calls-are-real
test.serial('every operation tells or changes something when the account itself calls it so', async (t) => {
  const { problems, outcomes: found } = await isolation.inspectOwn();
  outcomes.push(...found);
  t.is(problems.join('\n'), '');
});
