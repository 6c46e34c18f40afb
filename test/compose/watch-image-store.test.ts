import test from 'ava';
import { pino } from 'pino';
import { createServiceMetrics } from '../../compose/service-metrics.ts';
import { imageStoreWatch } from '../../compose/watch-service.ts';
import { ImageStoreUnavailable } from '../../gateways/image-store/port.ts';

test('an image store that fails is told once with the reason, again after five minutes, and when it is over', async (t) => {
  const lines: string[] = [];
  const logger = pino({ formatters: { level: (level) => ({ level }) } }, { write: (line: string) => lines.push(line) });
  const metrics = createServiceMetrics();
  const gauge = async () => /^itembridge_image_store_reachable (\S+)$/m.exec(await metrics.expose())?.[1];
  let problem: string | null = null;
  let passedMs = 0;
  const imageStore = {
    check: () => (problem === null ? Promise.resolve() : Promise.reject(new ImageStoreUnavailable(problem, undefined))),
  };
  const look = imageStoreWatch({ imageStore, metrics, logger, now: () => new Date(passedMs) });

  t.false(await look());
  t.deepEqual([lines, await gauge()], [[], '1']);

  problem = 'NoSuchBucket (404): no such bucket';
  await look();
  await look();
  t.is(lines.length, 1);
  t.like(JSON.parse(lines[0] ?? ''), {
    level: 'warn',
    msg: 'image_store.failed',
    err: { message: 'the image store failed: NoSuchBucket (404): no such bucket' },
  });
  t.is(await gauge(), '0');
  passedMs += 300_000;
  await look();
  t.is(lines.length, 2);

  problem = null;
  await look();
  await look();
  t.like(JSON.parse(lines[2] ?? ''), { level: 'info', msg: 'image_store.recovered' });
  t.deepEqual([lines.length, await gauge()], [3, '1']);
});
