import { randomBytes } from 'node:crypto';
import test from 'ava';
import fc from 'fast-check';
import { logOut, refresh, refreshTokenOf, signIn } from '../support/a-browser.ts';
import { isError, startApiWorld, type ApiWorld, type Reply } from '../support/api-world.ts';
import { checkProperty } from '../support/check-property.ts';

// Two processes of the API on one database, with a clock that both share.
const aKey = (id: string) => ({ id, secret: randomBytes(32).toString('hex') });
const [oldKey, newKey] = [aKey('k1'), aKey('k2')];
let one: ApiWorld;
let two: ApiWorld;
test.before(async () => {
  one = await startApiWorld({ jwtKeys: [oldKey] });
  two = await startApiWorld({ jwtKeys: [newKey, oldKey], beside: one });
});
test.after.always(async () => {
  await two.close();
  await one.close();
});

const me = (world: ApiWorld, token: string) => world.call('GET', '/auth/me', { token });

// specification: several-signing-keys-the
test.serial(
  'a signing key is replaced without logging anybody out, and ends its tokens when it is taken away',
  async (t) => {
    const person = await one.account();
    const before = await signIn(one, person);
    t.is((await me(two, before.token)).status, 200, 'made with the old key, read where the new one signs');
    const after = await signIn(two, person);
    const done = await startApiWorld({ jwtKeys: [newKey], beside: one });
    try {
      t.is((await me(done, after.token)).status, 200);
      isError(t, await me(done, before.token), { status: 401, code: 'UNAUTHORIZED' });
      const renewed = await refresh(done, before.refreshToken);
      t.is(renewed.status, 200, 'the session itself goes on: its refresh token is signed by no key');
      t.is((await me(done, renewed.body.accessToken)).status, 200);
    } finally {
      await done.close();
    }
  },
);

// specification: the-one-just-replaced
test.serial('tabs that reach two processes at the same moment go on with the same session', async (t) => {
  const { refreshToken } = await signIn(one, await one.account());
  const worlds = [one, two, one, two, one, two];
  const replies = await Promise.all(worlds.map((world) => refresh(world, refreshToken)));
  t.deepEqual([...new Set(replies.map(({ status }) => status))], [200]);
  t.is(new Set(replies.map(refreshTokenOf)).size, 1);
});

// specification: logout-204-whatever-was
test.serial('logging out at one process while another renews ends the session', async (t) => {
  const person = await one.account();
  for (let n = 0; n < 10; n += 1) {
    const { refreshToken } = await signIn(one, person);
    const [renewed] = await Promise.all([refresh(one, refreshToken), logOut(two, refreshToken)]);
    const newest = refreshTokenOf(renewed) === '' ? refreshToken : refreshTokenOf(renewed);
    isError(t, await refresh(two, newest), { status: 401, code: 'UNAUTHORIZED' });
    if (renewed.status === 200)
      isError(t, await me(one, renewed.body.accessToken), { status: 401, code: 'UNAUTHORIZED' });
  }
});

// The simple model: tokens are numbered in the order in which they were given out.
interface Model {
  readonly newest: number;
  readonly rotatedAtMs: number;
  readonly isOver: boolean;
}
type Operation = { readonly kind: 'refresh' | 'log-out'; readonly process: 0 | 1; readonly age: number };
type Step =
  | { readonly kind: 'pass'; readonly ms: number }
  | { readonly kind: 'at-once'; readonly operations: Operation[] };

/** What a token, so many renewals old, does to the session: the number of the token that is given, or null. */
function follow(
  model: Model,
  { kind, number }: { kind: Operation['kind']; number: number },
  nowMs: number,
): [Model, number | null] {
  if (model.isOver) return [model, null];
  const over = { ...model, isOver: true };
  if (kind === 'log-out') return [over, null];
  if (number === model.newest) return [{ ...model, newest: number + 1, rotatedAtMs: nowMs }, number + 1];
  return number === model.newest - 1 && nowMs - model.rotatedAtMs < 30_000 ? [model, model.newest] : [over, null];
}

/** Mostly what an honest browser does, or no session would live long enough for the rest. */
const operation = fc.record({
  kind: fc.oneof(
    { arbitrary: fc.constant('refresh' as const), weight: 20 },
    { arbitrary: fc.constant('log-out' as const), weight: 1 },
  ),
  process: fc.constantFrom(0 as const, 1 as const),
  age: fc.oneof(
    { arbitrary: fc.constant(0), weight: 12 },
    { arbitrary: fc.constant(1), weight: 2 },
    { arbitrary: fc.constantFrom(2, 5), weight: 1 },
  ),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    arbitrary: fc.record({
      kind: fc.constant('at-once' as const),
      operations: fc.array(operation, { minLength: 1, maxLength: 3 }),
    }),
    weight: 4,
  },
  {
    arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.constantFrom(1_000, 20_000, 60_000) }),
    weight: 1,
  },
);

/** Every order in which calls made at the same time may have taken effect. */
const ordersOf = <Value>(values: readonly Value[]): Value[][] =>
  values.length <= 1
    ? [[...values]]
    : values.flatMap((value, index) => ordersOf(values.toSpliced(index, 1)).map((rest) => [value, ...rest]));

// specification: reuse-of-an-old
test.serial(
  'random renewals, repeats, thefts and logouts at two processes: each answer is one the model gives in some order',
  async (t) => {
    t.timeout(600_000);
    const person = await one.account();
    let renewals = 0;
    let ends = 0;
    const property = fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
      const opened = await signIn(one, person);
      const tokens = [opened.refreshToken];
      let model: Model = { newest: 0, rotatedAtMs: 0, isOver: false };
      for (const taken of steps) {
        if (taken.kind === 'pass') {
          for (const world of [one, two]) world.pass(taken.ms);
          continue;
        }
        const calls = taken.operations.map((each) => ({ ...each, number: Math.max(0, tokens.length - 1 - each.age) }));
        const nowMs = one.now().getTime();
        const replies = await Promise.all(
          calls.map(({ kind, process, number }) =>
            (kind === 'refresh' ? refresh : logOut)([one, two][process] ?? one, tokens[number] ?? ''),
          ),
        );
        const fitting = ordersOf(calls.map((call, index) => ({ ...call, reply: replies[index] })))
          .map((order) => fit(model, order, { tokens, nowMs }))
          .find((fits) => fits !== undefined);
        if (fitting === undefined)
          throw new Error(
            `no order explains ${JSON.stringify({ model, calls, statuses: replies.map(({ status }) => status) })}`,
          );
        renewals += fitting.newest - model.newest;
        model = fitting;
      }
      if (model.isOver) ends += 1;
      // However it went, one renewal more tells whether the session lives.
      const last = await refresh(two, tokens.at(-1) ?? '');
      if (last.status !== (model.isOver ? 401 : 200))
        throw new Error(`the session is not as the model has it: ${last.status}`);
      if (model.isOver) t.is((await me(one, opened.token)).status, 401);
    });
    await checkProperty(t, property, { numRuns: 25, endOnFailure: true });
    t.log(`${renewals} renewals, ${ends} sessions ended early`);
    t.true(renewals > 0 && ends > 0);
  },
);

/** The model after this order, if it explains every answer; notes the tokens that were given. */
function fit(
  start: Model,
  order: readonly { kind: Operation['kind']; number: number; reply: Reply | undefined }[],
  { tokens, nowMs }: { tokens: string[]; nowMs: number },
): Model | undefined {
  let model = start;
  const given = [...tokens];
  for (const { reply, ...call } of order) {
    const [next, number] = follow(model, call, nowMs);
    const expected = call.kind === 'log-out' ? 204 : number === null ? 401 : 200;
    if (reply?.status !== expected) return undefined;
    if (number !== null) {
      given[number] ??= refreshTokenOf(reply);
      if (given[number] !== refreshTokenOf(reply)) return undefined;
    }
    model = next;
  }
  tokens.splice(0, tokens.length, ...given);
  return model;
}
