import test from 'ava';
import { secondApi, thirdWorker } from './support/more-processes.ts';
import { assertComplete, liveCount, pushAll, untilLive } from './support/pushed-items.ts';
import { startSystem, type System } from './support/system.ts';

test('two of three workers are killed while 200 items come through two APIs: the third publishes each once', async (t) => {
  t.timeout(500_000);
  const system = await startSystem();
  t.teardown(() => system.stop());
  const [third, other] = [thirdWorker(system), await secondApi(system)];
  t.teardown(() => Promise.all([third.stop(), other.api.stop()]));
  await Promise.all([system.otherWorker.start(), third.start(), other.api.start()]);
  const pushing = pushAll(system, inTurns(system, other.url));
  await untilLive(system, 40);
  await Promise.all([system.worker.kill9(), system.otherWorker.kill9()]);
  t.log(`killed with ${await liveCount(system)} live`);
  await pushing.done;
  await assertComplete(t, system);
});

/** Every second PUT goes to the other API. */
function inTurns(system: System, otherUrl: string): System['put'] {
  let turn = 0;
  return async (externalId, body) => {
    turn += 1;
    if (turn % 2 === 0) return system.put(externalId, body);
    const url = `${otherUrl}/integration/v1/items/${externalId}`;
    const answer = await fetch(url, { method: 'PUT', headers: system.headers, body: JSON.stringify(body) });
    await answer.arrayBuffer();
    return answer.status;
  };
}
