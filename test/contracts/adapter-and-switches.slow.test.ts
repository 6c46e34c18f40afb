import test from 'ava';
import { adapterAtSimulator, liveThrough, otherPositions, settingsFor } from './adapter-at-simulator.ts';

for (const switches of otherPositions())
  test(`adapter and simulator agree on the life of a seller: ${JSON.stringify(switches)}`, async (t) => {
    await liveThrough(t, await adapterAtSimulator(t, { switches }, settingsFor(switches)));
  });
