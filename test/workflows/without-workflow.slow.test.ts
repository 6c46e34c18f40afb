import test from 'ava';
import { runOf } from '../support/run-of.ts';
import { until } from '../support/until.ts';
import { untilSettled } from '../support/until-settled.ts';
import { withWorld, type World } from '../support/world.ts';

let world: World;
withWorld(test, (started) => (world = started));

// specification: what-owes-nothing-but
test('what owes nothing but its events is settled without a workflow; what has to be hosted gets one', async (t) => {
  const account = await world.account();
  const { itemId } = await account.push('plain');
  const [created] = await until('item.created is told', async () => {
    const told = await account.received('item.created');
    return told.length > 0 && told;
  });
  t.is(created?.body.data['serviceItemId'], itemId);
  await account.push('plain', { priceOre: 99_900 });
  await untilSettled(world, account, 'plain');
  t.is(await runOf(world, itemId), 'none');

  await account.push('plain', { priceOre: 99_900, imageUrls: [`${world.images.url}/nowhere.jpg`] });
  await untilSettled(world, account, 'plain');
  t.not(await runOf(world, itemId), 'none');
});
