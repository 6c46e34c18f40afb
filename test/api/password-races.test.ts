import test from 'ava';
import { createPasswords } from '../../platform/security/password.ts';
import { setSuspension } from '../../features/accounts/administer-account.ts';
import { startApiWorld, type ApiWorld, type Reply, type TestAccount } from '../support/api-world.ts';
import { Barrier } from '../support/barrier.ts';

test('a login with the old password that is under way while it is changed opens no session', async (t) => {
  const status = await loginDuring(async (world, { password, token }) => {
    const body = { oldPassword: password, newPassword: 'en helt annan lösenfras' };
    t.is((await world.call('POST', '/auth/password', { token, body })).status, 204);
  });
  t.is(status, 401);
});

test('a login that is under way while its account is suspended opens no session', async (t) => {
  const status = await loginDuring(async ({ store, now }, { email }) => {
    t.true((await setSuspension({ store, now }, { email, isSuspended: true })).hasChanged);
  });
  t.is(status, 401);
});

/** What is answered to a login whose password was found right before `change` and whose session is stored after it. */
async function loginDuring(change: (world: ApiWorld, person: TestAccount) => Promise<void>): Promise<Reply['status']> {
  let next: Barrier | undefined;
  const passwords = createPasswords({
    hash: (password) => Promise.resolve(`hash of ${String(password)}`),
    verify: async (stored, password) => {
      const held = next;
      next = undefined;
      await held?.pass();
      return stored === `hash of ${password}`;
    },
  });
  const world = await startApiWorld({ passwords });
  try {
    const person = await world.account();
    const barrier = new Barrier();
    next = barrier;
    const { email, password } = person;
    const late = world.call('POST', '/auth/login', { body: { email, password } });
    await barrier.reached;
    await change(world, person);
    barrier.open();
    return (await late).status;
  } finally {
    await world.close();
  }
}
