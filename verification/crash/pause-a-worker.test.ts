import test, { type ExecutionContext } from 'ava';
import { assertDeliveries } from './support/assert-deliveries.ts';
import { openScene, strike } from './support/delivery-scene.ts';
import { freeze } from './support/more-processes.ts';
import { assertComplete, liveCount, pushAll, untilLive } from './support/pushed-items.ts';
import { startSystem } from './support/system.ts';

// One of two workers stands still, others take over what it had, and then it goes on with all that it had in mind. 5 s: longer than an
// attempt may wait before it is sent. 40 s: longer than the lease of an attempt, and than what the engine allows most activities.

for (const seconds of [5, 40]) {
  test.serial(`a worker pauses for ${seconds} s in the middle of deliveries: each arrives, counted once`, async (t) => {
    const scene = await openScene(t, { workers: 2 });
    const { system } = scene;
    const paused = system.worker;
    const what = `one of two workers stands still for ${seconds} s`;
    await strike(t, scene, { what, kill: () => freeze(paused, seconds * 1_000), restart: () => Promise.resolve() });
    // What the paused one still had in mind is over, too.
    await Promise.all([system.worker.stop(), system.otherWorker.stop()]);
    await assertDeliveries(t, scene);
  });

  test.serial(`a worker pauses for ${seconds} s in the middle of 200 items: each is published once`, async (t) => {
    await pauseAmongItems(t, seconds);
  });
}

async function pauseAmongItems(t: ExecutionContext, seconds: number): Promise<void> {
  t.timeout(500_000);
  const system = await startSystem();
  t.teardown(() => system.stop());
  await system.otherWorker.start();
  const pushing = pushAll(system);
  await untilLive(system, 40);
  const before = await liveCount(system);
  await freeze(system.worker, seconds * 1_000);
  t.log(`${before} live before the pause, ${await liveCount(system)} after it`);
  await pushing.done;
  await assertComplete(t, system);
  await Promise.all([system.worker.stop(), system.otherWorker.stop()]);
  await assertComplete(t, system);
}
