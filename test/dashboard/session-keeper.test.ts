import test from 'ava';
import { ItembridgeError } from '../../client/itembridge-error.ts';
import { SessionKeeper, type Session } from '../../web/dashboard/src/api/session-keeper.ts';

const sessionOf = (id: string, accessToken = `token of ${id}`): Session => ({
  accessToken,
  account: { id, email: `${id}@example.se`, name: id },
});
const refused = (status: number) => new ItembridgeError(`answered ${status}`, { status });

/** What each renewal comes to, in order; `later` keeps what is to be looked at again. */
function keeperOf(...renewals: readonly (() => Promise<Session>)[]) {
  const left = [...renewals];
  const looks: (() => void)[] = [];
  const seen = { starts: 0 };
  const keeper = new SessionKeeper({
    renewal: async () => (left.shift() ?? (async () => Promise.reject(refused(500))))(),
    startAnew: () => (seen.starts += 1),
    later: (look) => looks.push(look),
  });
  return { keeper, looks, seen };
}
const answers = (session: Session) => async () => Promise.resolve(session);
const fails = (error: Error) => async () => Promise.reject(error);

test('a page that was just opened says that the service does not answer, and takes up the session once it does', async (t) => {
  const { keeper, looks } = keeperOf(fails(refused(503)), answers(sessionOf('anna')));
  await keeper.takeUp();
  t.is(keeper.state.get().status, 'unreachable');
  t.is(looks.length, 0);
  await keeper.takeUp();
  t.is(keeper.state.get().status, 'signed-in');
});

for (const error of [refused(429), refused(503), new TypeError('network')])
  test(`who is signed in stays so when a look fails (${String(error)}), and it is looked again later`, async (t) => {
    const { keeper, looks } = keeperOf(fails(error), fails(error), answers(sessionOf('anna', 'second')));
    keeper.signedIn(sessionOf('anna', 'first'));
    const before = keeper.state.get();
    await keeper.takeUp();
    await keeper.takeUp();
    t.is(keeper.state.get(), before);
    t.is(looks.length, 1, 'one look is enough');
    looks[0]?.();
    await keeper.refresh();
    t.is(keeper.accessToken, 'second');
    t.is(keeper.state.get(), before);
  });

test('a session that is over signs out, and is not looked for again', async (t) => {
  const { keeper, looks } = keeperOf(fails(refused(401)));
  keeper.signedIn(sessionOf('anna'));
  await keeper.takeUp();
  t.is(keeper.state.get().status, 'signed-out');
  t.is(keeper.accessToken, undefined);
  t.is(looks.length, 0);
});

test('an answer that comes after signing out does not sign in again', async (t) => {
  let answer = (_session: Session): void => undefined;
  const { keeper } = keeperOf(async () => new Promise((resolve) => (answer = resolve)));
  keeper.signedIn(sessionOf('anna'));
  const renewing = keeper.refresh();
  keeper.signedOut();
  answer(sessionOf('anna', 'late'));
  await renewing;
  t.is(keeper.state.get().status, 'signed-out');
  t.is(keeper.accessToken, undefined);
});

test('a refusal that comes after signing in does not sign out', async (t) => {
  let refuse = (_error: unknown): void => undefined;
  const { keeper } = keeperOf(async () => new Promise((_resolve, reject) => (refuse = reject)));
  const renewing = keeper.refresh();
  keeper.signedIn(sessionOf('anna'));
  refuse(refused(401));
  await t.throwsAsync(renewing);
  t.is(keeper.state.get().status, 'signed-in');
});

test('another account has the page start anew', async (t) => {
  const { keeper, seen } = keeperOf(answers(sessionOf('bo')));
  keeper.signedIn(sessionOf('anna'));
  await keeper.takeUp();
  t.is(seen.starts, 1);
  t.is(keeper.accessToken, 'token of anna');
});
