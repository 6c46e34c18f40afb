import test, { type ExecutionContext } from 'ava';
import fc from 'fast-check';
import type { ItemId } from '../../features/rules/ids.ts';
import { checkProperty } from '../support/check-property.ts';
import { startS3Server } from '../support/s3-server.ts';
import { anAccount, day, hashOf, missingImages, startImageWorld, type ImageWorld } from '../support/image-world.ts';
import { startS3World } from '../support/start-s3-world.ts';
import { createSchedule } from '../support/random-schedule.ts';
import { randomFrom } from '../support/random-from.ts';

const server = await startS3Server();
test.after.always(() => server.close());
if (server.problem !== undefined)
  console.log(`skipped: random orders on a real S3 server, because there is none: ${server.problem}`);

// Uploaders and collectors of one image take turns in random order, die at random points and stand still for days; items come
// and go. Afterwards every hosted image is there; and when the last item has gone, nothing is left.
for (const [store, declare, start, numRuns] of [
  ['disk', test, () => startImageWorld(), 20],
  // Each look takes a request: fewer orders in the same time.
  ['S3', server.problem === undefined ? test : test.skip, () => startS3World(server), 5],
] as const)
  declare(`${store}: no order of uploads, collections and deaths loses a hosted image or leaves a file`, async (t) => {
    const property = fc.asyncProperty(fc.nat(), async (seed) => {
      const world = await start();
      try {
        await play(t, world, seed);
      } finally {
        await world.close();
      }
    });
    // Another number is another order, not a shorter one.
    await checkProperty(t, property, { numRuns, endOnFailure: true });
  });

async function play(t: ExecutionContext, world: ImageWorld, seed: number): Promise<void> {
  const ids = await playRandomly(world, randomFrom(seed));
  for (const id of ids) {
    if ((await world.find(id)).removedAt !== null) continue;
    await world.uploadAll(id);
    t.deepEqual(await missingImages(world, id), [], `seed ${seed}`);
    t.is((await world.find(id)).imageSet.images[0]?.contentHash, hashOf('one'));
  }
  for (const id of ids) await world.remove(id);
  for (let n = 0; n < 3; n += 1) {
    world.pass(2 * day);
    await world.collectAll();
  }
  t.deepEqual([await world.files(), await world.records(), await world.claims()], [[], [], 0], `seed ${seed}`);
}

async function playRandomly(world: ImageWorld, random: () => number): Promise<ItemId[]> {
  const account = anAccount();
  const ids: ItemId[] = [];
  const push = async (): Promise<ItemId> => {
    const id = await world.item({ account });
    ids.push(id);
    return id;
  };
  await world.upload(await push());
  const schedule = createSchedule(world.ports, random);
  const begin = async (): Promise<void> => {
    const choice = random();
    if (choice < 0.4) schedule.start((ports) => world.collect(ports));
    else if (choice < 0.7) {
      const id = await push();
      schedule.start((ports) => world.upload(id, ports));
    } else if (choice < 0.8) {
      const id = ids[Math.floor(random() * ids.length)];
      if (id !== undefined) schedule.start((ports) => world.upload(id, ports)); // its activity once more
    } else for (const id of ids) if (random() < 0.8) await world.remove(id);
  };
  let begun = 0;
  const between = async (): Promise<void> => {
    world.pass(random() < 0.05 ? 2 * day : Math.floor(random() * 500));
    if (begun < 12 && random() < 0.2) {
      begun += 1;
      await begin();
    }
  };
  await begin();
  schedule.start((ports) => world.collect(ports));
  await schedule.run({ crashes: true, between });
  return ids;
}
