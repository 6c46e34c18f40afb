import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import test from 'ava';
import { programArguments } from '../../embedded/program-arguments.ts';
import { revokeResellerAgreement } from '../../features/resellers/agreements.ts';
import { isError, withApiWorld, type TestAccount } from '../support/api-world.ts';
import { testMongodbUri } from '../support/open-test-store.ts';

const world = withApiWorld(test);
const run = promisify(execFile);

async function revoke(email: string): Promise<{ code: number; output: string }> {
  const env = { ...process.env, MONGODB_DATABASE: world().store.connection.name, MONGODB_URI: testMongodbUri() };
  const args = [...programArguments('bin/itembridge.ts'), 'revoke-reseller', '--email', email];
  try {
    return { code: 0, output: (await run(process.execPath, args, { env })).stdout };
  } catch (error) {
    const { code, stderr } = error as { code: number; stderr: string };
    return { code, output: stderr };
  }
}

const kindOf = async ({ token }: TestAccount) =>
  (await world().call('GET', '/business/my-deal', { token })).body.kind as string;
const logOf = async ({ token }: TestAccount, kind: string) =>
  (await world().call('GET', '/partner/audit-log', { token })).body.entries.filter(
    (entry: { kind: string }) => entry.kind === kind,
  );

// specification: an-administrator-ends-an
test('revoke-reseller ends the agreement with all memberships, once, and both sides can read of it', async (t) => {
  const [reseller, neighbour] = [await world().reseller(), await world().reseller()];
  const members = [await world().memberOf(reseller), await world().memberOf(reseller)];
  const other = await world().memberOf(neighbour);
  t.like(await revoke(reseller.email.toUpperCase()), { code: 0 });
  t.regex((await revoke(reseller.email)).output, /no reseller agreement; nothing was changed/);
  for (const account of [reseller, ...members]) t.is(await kindOf(account), 'consumer_default');
  t.is(await kindOf(other), 'sub_account');
  for (const member of members) {
    const headers = { 'x-partner-account': member.reference };
    const call = await world().call('GET', '/integration/v1/items/x', { apiKey: reseller.apiKey, headers });
    isError(t, call, { status: 403, code: 'PARTNER_ACCOUNT_FORBIDDEN' });
    const [entry] = await logOf(member, 'member_left');
    t.like(entry, { actor: { kind: 'operator' }, details: { resellerUserId: reseller.id } });
  }
  const ended = await logOf(reseller, 'reseller_agreement_ended');
  t.is(ended.length, 1);
  t.like(ended[0], { actor: { kind: 'operator' }, details: { members: 2 } });
  t.false((await world().call('GET', `/public/profiles/${reseller.slug}`)).body.ownerHasResellerDeal);
  const again = await world().call('POST', `/p/${reseller.slug}/connect`, { token: members[0]?.token });
  isError(t, again, { status: 404, code: 'NOT_FOUND' });
});

test('revoke-reseller says in words that nobody has that email', async (t) => {
  const { code, output } = await revoke('nobody@example.se');
  t.is(code, 1);
  t.regex(output, /No account with the email address/);
  t.notRegex(output, /^\s+at /m);
});

// specification: an-administrator-ends-an
test('who joins while the agreement ends is a member of nobody, or was told that there is no page', async (t) => {
  const reseller = await world().reseller();
  const people = await Promise.all(Array.from({ length: 6 }, () => world().account()));
  const { store, now } = world();
  const calls = people.map(({ token }) => world().call('POST', `/p/${reseller.slug}/connect`, { token }));
  await Promise.race(calls);
  const [, ...joins] = await Promise.all([revokeResellerAgreement({ store, now }, reseller.email), ...calls]);
  t.log(joins.map(({ status }) => status).join(' '));
  for (const { status } of joins) t.true(status === 201 || status === 404, String(status));
  for (const person of people) t.is(await kindOf(person), 'consumer_default');
  const rows = store.connection.collection('member_connections');
  t.is(await rows.countDocuments({ resellerAccountId: reseller.id }), 0);
});
