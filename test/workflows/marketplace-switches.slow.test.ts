import test from 'ava';
import { switchPositions } from '../../simulators/marketplace/switches.ts';
import { otherPositions } from '../contracts/adapter-at-simulator.ts';
import { tellMarketplaceStory } from '../support/marketplace-story.ts';
import { startServedWorld, type ServedWorld } from '../support/served-world.ts';
import { callAdmin } from '../support/world.ts';

// The story of test/main-story with every switch of the simulated marketplace in its other positions, each alone and all together.

let world: ServedWorld;
/** As an operator sets it where JPEG has the other number. */
let otherJpeg: ServedWorld;
test.before(async () => {
  world = await startServedWorld();
  otherJpeg = await startServedWorld({ environment: { MARKETPLACE_JPEG_FORMAT: '1' } });
});
test.after.always(async () => {
  await world.stop();
  await otherJpeg.stop();
});

const usual = Object.fromEntries(Object.entries(switchPositions).map(([name, [position]]) => [name, position]));

for (const switches of otherPositions())
  test.serial(`a sale is told in the same way: ${JSON.stringify(switches)}`, async (t) => {
    t.timeout(300_000);
    const served = switches['imageFormats'] === 'B' ? otherJpeg : world;
    await callAdmin(`${served.marketplace.adminUrl}/switches`, 'POST', { ...usual, ...switches });
    await tellMarketplaceStory(t, served);
  });
