import { randomUUID } from 'node:crypto';
import test from 'ava';
import { createPasswords } from '../../platform/security/password.ts';
import { signIn } from '../support/a-browser.ts';
import { startApiWorld } from '../support/api-world.ts';
import { until } from '../support/until.ts';

const strangers = 320;

test('login: while 320 strangers wait to be looked at, the owner of a known browser waits for a few of them', async (t) => {
  const order: string[] = [];
  const tickets = aTurnstile();
  const passwords = createPasswords({
    hash: (password) => Promise.resolve(`hash of ${String(password)}`),
    verify: async (stored, password) => {
      if (password === 'wrong') await tickets.next();
      order.push(password);
      return stored === `hash of ${password}`;
    },
  });
  const world = await startApiWorld({ passwords });
  try {
    const person = await world.account();
    const { device } = await signIn(world, person);
    const crowd = Array.from({ length: strangers }, () =>
      world.call('POST', '/auth/login', { body: { email: `${randomUUID()}@example.se`, password: 'wrong' } }),
    );
    let refused = 0;
    const counted = crowd.map(async (call) => {
      if ((await call).status === 503) refused += 1;
    });
    await until('202 strangers are in the line, the others are sent away', () =>
      Promise.resolve(refused === strangers - 202),
    );
    order.length = 0;
    let isAnswered = false;
    const { email, password } = person;
    const headers = { cookie: `device=${device}` };
    const owner = world.call('POST', '/auth/login', { body: { email, password }, headers }).finally(() => {
      isAnswered = true;
    });
    await until('the owner is answered, one stranger after the other is looked at', () => {
      if (!isAnswered) tickets.give();
      return Promise.resolve(isAnswered);
    });
    t.is((await owner).status, 200);
    t.true(order.indexOf(password) < strangers / 4, `${order.indexOf(password)} strangers came first`);
    tickets.open();
    await Promise.all(counted);
  } finally {
    await world.close();
  }
});

/** Lets one through for each ticket, and all once it is open. */
function aTurnstile() {
  const waiting: (() => void)[] = [];
  let isOpen = false;
  return {
    next: (): Promise<void> => (isOpen ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
    give: (): void => waiting.shift()?.(),
    open: (): void => {
      isOpen = true;
      for (const resolve of waiting.splice(0)) resolve();
    },
  };
}
