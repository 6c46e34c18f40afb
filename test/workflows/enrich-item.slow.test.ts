import test from 'ava';
import type { ItemContent } from '../../features/items/rules/item-content.ts';
import { until } from '../support/until.ts';
import { startEnrichingWorld, type EnrichingWorld } from '../support/enriching-world.ts';
import { callAdmin, untilMarketplaceStatus, type TestAccount } from '../support/world.ts';
import { readItem } from '../../features/items/read-item.ts';

let world: EnrichingWorld;

test.before(async () => {
  world = await startEnrichingWorld({ VEHICLE_REGISTRY_TIMEOUT_MS: '1000', AI_TIMEOUT_MS: '1000' });
});
test.after.always(async () => {
  await world.stop();
});

const plateOnly = (registrationPlate: string): Partial<ItemContent> => ({
  title: `Bil ${registrationPlate}`,
  domain: { slug: 'vehicles', attributes: { registrationPlate, mileageKm: 9_000 } },
});
const read = async ({ scope }: TestAccount, externalId: string) =>
  (await readItem(world.context, scope, externalId)).item;
const untilSettled = (account: TestAccount, externalId: string) =>
  until(`${externalId} is settled`, async () => {
    const item = await read(account, externalId);
    return item.processing.stage === 'settled' && item;
  });
const fault = (simulator: EnrichingWorld['ai'], body: object): Promise<unknown> =>
  callAdmin(`${simulator.adminUrl}/faults`, 'POST', body);

// One after the other: a fault of the model hits whoever asks next.
// specification: plate-live-lookup-that, a-vehicle-with-the
test.serial(
  'a vehicle pushed with the plate alone is read with make, model and year, and the same push changes nothing',
  async (t) => {
    const account = await world.account();
    await account.push('car', plateOnly('MLB84A'));
    const item = await untilSettled(account, 'car');
    t.like(item.extendedAttributes, {
      domain: 'vehicles',
      registrationPlate: 'MLB84A',
      mileageKm: 9_000,
      make: 'Volvo',
      model: 'V60',
      year: 2021,
    });
    t.is((await account.push('car', plateOnly('MLB84A'))).outcome, 'unchanged');
  },
);

// specification: useaienhancement-title-and-description, useaienhancement-improved-text-in
test.serial(
  'with useAiEnhancement the improved words are read and sold under, and the caller’s own are kept',
  async (t) => {
    const account = await world.account();
    const own = { title: 'volvo v70 strålkastare', description: 'vänster fram' };
    const improved = { title: 'Strålkastare till Volvo V70', description: 'Vänster fram, i gott skick.' };
    await callAdmin(`${world.ai.adminUrl}/answers`, 'POST', { contains: own.title, answer: improved });
    await account.push('lamp', { ...own, useAiEnhancement: true }, { autoPublish: true });
    await untilMarketplaceStatus(account, 'lamp', 'active');
    t.like(await read(account, 'lamp'), { ...improved, original: own });
    t.is((await account.listings('lamp'))[0]?.title, improved.title);
    t.is((await account.push('lamp', { ...own, useAiEnhancement: true })).outcome, 'unchanged');
  },
);

// specification: without-a-working-model
test.serial(
  'an item is published with its own words and without make when model and registry are down, and filled in by a later push',
  async (t) => {
    const account = await world.account();
    const content = { ...plateOnly('AAA000'), useAiEnhancement: true };
    await fault(world.registry, { mode: 'delay', delayMs: 5_000, path: 'AAA000', times: 1 });
    await fault(world.ai, { mode: 'status', status: 500, times: 1 });
    await account.push('down', content, { autoPublish: true });
    await untilMarketplaceStatus(account, 'down', 'active');
    const bare = await read(account, 'down');
    t.is(bare.title, 'Bil AAA000');
    t.false('make' in bare.extendedAttributes);
    await account.push('down', { ...content, priceOre: 99_900 });
    const filled = await until('the registry was asked again', async () => {
      const item = await read(account, 'down');
      return 'make' in item.extendedAttributes && item;
    });
    t.like(filled.extendedAttributes, { make: 'Saab', model: '9-3', year: 2009 });
  },
);
