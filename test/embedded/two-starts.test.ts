import test from 'ava';
import { StartedSystem } from './support/started-system.ts';

test('two starts of the same moment want the same ports, and both find some', async (t) => {
  t.timeout(600_000);
  const systems = await Promise.all([StartedSystem.launch(), StartedSystem.launch()]);
  t.teardown(() => Promise.all(systems.map((system) => system.discard())).then(() => undefined));
  const states = await Promise.all(systems.map((system) => system.ready()));
  t.is(new Set(states.map(({ temporalAddress }) => temporalAddress)).size, 2);
  t.is(new Set(states.map(({ mongodbUri }) => mongodbUri)).size, 2);
});
