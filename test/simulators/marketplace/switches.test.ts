import test from 'ava';
import { sellerOf } from '../support/seller.ts';
import { otherPositions, switchBehaviours, usualPositions } from '../support/switch-behaviours.ts';

for (const [name, position] of Object.entries(usualPositions))
  test(`${name} is ${position} unless it is moved`, async (t) => {
    const behaviours = Object.entries(switchBehaviours).find(([candidate]) => candidate === name)?.[1];
    await behaviours?.[position]?.(t, await sellerOf(t));
    t.truthy(behaviours?.[position]);
  });

test('switches move by the administration; those that are not named stay', async (t) => {
  const { admin, useHeaders, wire } = await sellerOf(t);
  t.deepEqual((await admin('GET', '/switches')).json(), usualPositions);
  t.deepEqual((await admin('POST', '/switches', { badToken: '403' })).json(), { ...usualPositions, badToken: '403' });
  useHeaders({ 'x-user-token': 'wrong' });
  t.is((await wire('GET', '/v4/users/me')).status, 403);
});

test('a marketplace starts with its switches moved', async (t) => {
  const { admin } = await sellerOf(t, { switches: otherPositions });
  t.deepEqual((await admin('GET', '/switches')).json(), otherPositions);
  await t.throwsAsync(sellerOf(t, { switches: { badToken: '404' } }), { message: /badToken must be one of/ });
});
