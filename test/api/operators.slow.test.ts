import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import test from 'ava';
import { programArguments } from '../../embedded/program-arguments.ts';
import { isError, withApiWorld, type TestAccount } from '../support/api-world.ts';
import { testMongodbUri } from '../support/open-test-store.ts';
import { auditSteps, ok } from '../support/audit-steps.ts';

const world = withApiWorld(test);
const { log, kindsOf } = auditSteps(world);
const run = promisify(execFile);

/** As an administrator on the command line; throws what it says on stderr. */
async function itembridge(...args: readonly string[]): Promise<string> {
  const env = { ...process.env, MONGODB_URI: testMongodbUri(), MONGODB_DATABASE: world().store.connection.name };
  return (await run(process.execPath, [...programArguments('bin/itembridge.ts'), ...args], { env })).stdout;
}

const me = async ({ token }: Pick<TestAccount, 'token'>) => (await ok(world().call('GET', '/auth/me', { token }))).body;

// specification: operators-are-told-the
test('grant-operator and revoke-operator change what the session is told, and stand in the log once', async (t) => {
  const [one, other] = [await world().account(), await world().account()];
  t.is((await me(one)).isOperator, false);
  for (const already of ['', ' already'])
    t.is(
      await itembridge('grant-operator', one.email.toUpperCase(), other.email),
      `${one.email.toUpperCase()} (${one.id}) is an operator${already}\n${other.email} (${other.id}) is an operator${already}\n`,
    );
  t.deepEqual([(await me(one)).isOperator, (await me(other)).isOperator], [true, true]);
  t.is(await itembridge('revoke-operator', one.email), `${one.email} (${one.id}) is no operator any more\n`);
  t.is(
    await itembridge('revoke-operator', one.email),
    `${one.email} (${one.id}) is no operator; nothing was changed\n`,
  );
  t.deepEqual([(await me(one)).isOperator, (await me(other)).isOperator], [false, true]);
  t.deepEqual((await kindsOf(one.token)).slice(0, 2), ['operator_revoked', 'operator_granted']);
  const { entries } = await log(other.token);
  t.like(entries[0], { kind: 'operator_granted', actor: { kind: 'operator', userId: null } });
  t.is(entries.filter(({ kind }: { kind: string }) => kind === 'operator_granted').length, 1);
});

test('grant-operator of an unknown email fails in words', async (t) => {
  const error = await t.throwsAsync(itembridge('grant-operator', 'nobody@example.se'));
  t.regex(error.message, /No account with the email address nobody@example\.se/);
});

// specification: operators-are-told-the
test('an operator sees no more of others than anybody else', async (t) => {
  const [operator, other] = [await world().account(), await world().account()];
  await itembridge('grant-operator', operator.email);
  const { apiKey } = other;
  const body = { title: 'Dörr', price: 100, imageUrls: [] };
  await ok(world().call('PUT', '/integration/v1/items/a', { apiKey, body }));
  const { token } = operator;
  for (const path of ['/partner/items/a', `/partner/items/a?member=${other.id}`])
    isError(t, await world().call('GET', path, { token }), { status: 404, code: 'NOT_FOUND' });
});

// specification: get-auth-me
test('GET /auth/me tells a reseller of its page, a member of its reseller, and others of neither', async (t) => {
  const reseller = await world().reseller();
  const member = await world().memberOf(reseller);
  const page = { slug: reseller.slug, displayName: 'Återförsäljaren AB' };
  t.like(await me(reseller), {
    id: reseller.id,
    email: reseller.email,
    isOperator: false,
    reseller: page,
    memberOf: null,
  });
  t.like(await me(member), { id: member.id, reseller: null, memberOf: page });
  await ok(world().call('DELETE', '/business/my-deal', { token: member.token }));
  t.like(await me(member), { reseller: null, memberOf: null });
});
