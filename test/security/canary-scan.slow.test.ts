import test from 'ava';
import { until } from '../support/until.ts';
import { logLines } from '../monitoring/support/log-lines.ts';
import { createLeakFinder, type Leak } from './support/canaries.ts';
import { startCanarySystem, type CanarySystem } from './support/canary-system.ts';
import { tellStory } from './support/canary-story.ts';
import { databasePlaces, filePlace, workflowPlaces, type Place } from './support/leak-places.ts';

interface World extends CanarySystem {
  readonly numbers: readonly Place[];
}

let traced: World;
let untraced: World;
const worlds = (): World[] => [traced, untraced];
/** Of what was started, the last first. */
const closing: (() => Promise<unknown>)[] = [];

test.before(async (t) => {
  t.timeout(1_200_000);
  traced = await playIn({ isTraced: true });
  untraced = await playIn({ isTraced: false });
});

async function playIn(wish: { isTraced: boolean }): Promise<World> {
  const system = await startCanarySystem(closing, wish);
  await tellStory(system);
  const numbers = await Promise.all((['api', 'worker'] as const).map((which) => readNumbers(system, which)));
  return { ...system, numbers };
}

test.after.always(async () => {
  for (const close of closing) await close();
});

async function readNumbers(system: CanarySystem, which: 'api' | 'worker'): Promise<Place> {
  const lines = logLines(system[which].plan.logFile);
  const url = lines.find(({ msg }) => msg === 'metrics.listening')?.['url'];
  return { name: `metrics of the ${which}`, text: await (await fetch(String(url))).text() };
}

/** Of all that was planted; what is a partner's own data may be stored. */
function leaksIn(world: World, places: readonly Place[], { isData }: { isData: boolean }): Leak[] {
  const find = createLeakFinder(world.recorder.canaries().filter((canary) => !isData || canary.isData !== true));
  return places.flatMap(({ name, text }) => find(name, text));
}

const sizeOf = (places: readonly Place[]): number => places.reduce((sum, { text }) => sum + text.length, 0);

test('no secret of a whole run is in a log, whatever failed on the way, at the loudest level', (t) => {
  for (const world of worlds()) {
    const places = Object.entries(world.files)
      .filter(([name]) => name.startsWith('log'))
      .map(([name, file]) => filePlace(name, file));
    t.true(sizeOf(places) > 100_000, 'the logs are there');
    t.deepEqual(leaksIn(world, places, { isData: false }), []);
  }
});

test('no secret of a whole run is in a workflow: history, payloads, memo, search attributes, nor in the files of Temporal', async (t) => {
  for (const world of worlds()) {
    const places = await workflowPlaces(world.foundation.client);
    t.true(places.length > 10, 'there were workflows');
    const files = Object.entries(world.files).filter(([name]) => name.startsWith('Temporal'));
    const all = [...places, ...files.map(([name, file]) => filePlace(name, file))];
    t.deepEqual(leaksIn(world, all, { isData: false }), []);
  }
});

test('in each run some items had a workflow, and some were settled without one', async (t) => {
  for (const { foundation } of worlds()) {
    const names = new Set((await workflowPlaces(foundation.client)).map(({ name }) => name));
    const rows = await foundation.store.connection.collection<{ _id: string }>('items').find().toArray();
    const withWorkflow = rows.filter(({ _id }) => names.has(`workflow item:${_id}`)).length;
    t.true(withWorkflow > 0 && withWorkflow < rows.length, `${withWorkflow} of ${rows.length}`);
  }
});

test('no secret of a whole run is stored readable, and none ever was, as every write of the run shows', async (t) => {
  for (const world of worlds()) {
    const places = await databasePlaces(world.foundation.store.connection);
    t.true(places.length > 15, 'there are collections');
    t.deepEqual(leaksIn(world, places, { isData: true }), []);
  }
});

test('no answer repeats a secret but the one that hands it out, errors and the audit log included', (t) => {
  for (const world of worlds()) {
    const places = world.recorder.answers();
    t.true(
      places.some(({ name }) => name.startsWith('answer 503')),
      'the database was out of reach for some',
    );
    t.true(places.some(({ name }) => name.includes('/partner/audit-log')));
    t.deepEqual(leaksIn(world, places, { isData: true }), []);
  }
});

test('no secret of a whole run is in a metric or a trace', async (t) => {
  const traces = await until(
    'traces were sent',
    async () => traced.traces().includes('marketplace') && traced.traces(),
  );
  t.deepEqual(leaksIn(traced, [...traced.numbers, { name: 'traces', text: traces }], { isData: false }), []);
  t.deepEqual(leaksIn(untraced, untraced.numbers, { isData: false }), []);
});

test('every kind of secret took part, and a leak planted in each place would have been found', (t) => {
  for (const world of worlds()) {
    const canaries = world.recorder.canaries();
    t.true(
      new Set(canaries.map(({ name }) => name)).size >= 25,
      [...new Set(canaries.map(({ name }) => name))].join(', '),
    );
    const find = createLeakFinder(canaries);
    const { text } = filePlace('log', world.files['log of the worker'] ?? '');
    for (const { name, value } of canaries)
      t.true(find('log', `${text.slice(0, 2_000)}${value.slice(0, 13)}${text.slice(2_000, 4_000)}`).length > 0, name);
  }
});
