import test from 'ava';
import { createPasswords } from '../../security/password.ts';
import { startApiWorld } from '../support/api-world.ts';
import { until } from '../support/until.ts';

test('a login with the old password that is under way while it is changed opens no session', async (t) => {
  let open: () => void = () => undefined;
  let isHeld = false;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  let holdNext = false;
  const passwords = createPasswords({
    hash: (password) => Promise.resolve(`hash of ${String(password)}`),
    verify: async (stored, password) => {
      const isRight = stored === `hash of ${password}`;
      if (holdNext) {
        holdNext = false;
        isHeld = true;
        await gate;
      }
      return isRight;
    },
  });
  const world = await startApiWorld({ passwords });
  try {
    const { email, password, token } = await world.account();
    holdNext = true;
    const late = world.call('POST', '/auth/login', { body: { email, password } });
    await until('the old password was found right', () => Promise.resolve(isHeld));
    const body = { oldPassword: password, newPassword: 'en helt annan lösenfras' };
    t.is((await world.call('POST', '/auth/password', { token, body })).status, 204);
    open();
    t.is((await late).status, 401);
    t.is((await world.call('GET', '/auth/sessions', { token })).body.sessions.length, 1);
  } finally {
    await world.close();
  }
});
