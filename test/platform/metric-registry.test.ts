import test from 'ava';
import { pino } from 'pino';
import { listenForMetrics } from '../../platform/metrics-listener.ts';
import { createMetrics } from '../../platform/metric-registry.ts';
import { readExposition } from '../monitoring/support/exposition.ts';

const silent = pino({ level: 'silent' });

test('counts, gauges and durations come out as Prometheus reads them, whatever a label holds', async (t) => {
  const metrics = createMetrics();
  const calls = metrics.count({ name: 'a_calls_total', help: 'Calls\nof a', labels: ['method'] });
  calls.add({ method: 'get' });
  calls.add({ method: 'get' }, 2);
  calls.add({ method: 'a "quoted"\nline \\' });
  metrics.gauge({ name: 'a_queue', help: 'Waiting' }).set({}, 7);
  const seconds = metrics.duration({ name: 'a_duration_seconds', help: 'How long', bounds: [0.1, 1] });
  seconds.observe({}, 0.5);
  seconds.observe({}, 30);
  const { series, families } = readExposition(await metrics.expose());
  t.is(series.get('a_calls_total{method="get"}'), 3);
  t.is(series.get('a_calls_total{method="a \\"quoted\\"\\nline \\\\"}'), 1);
  t.is(series.get('a_queue'), 7);
  t.is(series.get('a_duration_seconds_bucket{le="0.1"}'), 0);
  t.is(series.get('a_duration_seconds_bucket{le="1"}'), 1);
  t.is(series.get('a_duration_seconds_bucket{le="+Inf"}'), 2);
  t.is(series.get('a_duration_seconds_sum'), 30.5);
  t.is(families.get('a_duration_seconds'), 'histogram');
});

test('a gauge that is cleared shows no series that is true no longer', async (t) => {
  const metrics = createMetrics();
  const waiting = metrics.gauge({ name: 'a_waiting', help: 'Waiting', labels: ['reason'] });
  waiting.set({ reason: 'images' }, 3);
  waiting.clear();
  waiting.set({ reason: 'marketplace' }, 1);
  const { series } = readExposition(await metrics.expose());
  t.deepEqual([...series], [['a_waiting{reason="marketplace"}', 1]]);
});

test('each registry counts for itself, and the numbers of the process can be had beside', async (t) => {
  const [one, other] = [createMetrics(), createMetrics()];
  for (const metrics of [one, other]) metrics.count({ name: 'a_total', help: 'Counted' }).add({});
  one.observeProcess();
  t.is(readExposition(await other.expose()).series.size, 1);
  t.true(readExposition(await one.expose()).series.has('process_resident_memory_bytes'));
});

test('the listener says whether the process lives, and whether it does its work', async (t) => {
  const worker = { isReady: false };
  const listener = await listenForMetrics({
    host: '127.0.0.1',
    port: 0,
    logger: silent,
    read: () => Promise.resolve(''),
    isReady: () => worker.isReady,
  });
  const statusOf = async (path: string): Promise<number> => (await fetch(new URL(path, listener.url))).status;
  t.deepEqual([await statusOf('/healthz'), await statusOf('/readyz')], [200, 503]);
  worker.isReady = true;
  t.deepEqual([await statusOf('/healthz'), await statusOf('/readyz')], [200, 200]);
  await listener.close();
});

test('the listener answers GET /metrics and nothing else, and says so when it can read nothing', async (t) => {
  const read = { text: 'a_total 1\n', fails: false };
  const options = { host: '127.0.0.1', port: 0, logger: silent };
  const listener = await listenForMetrics({
    ...options,
    read: () => (read.fails ? Promise.reject(new Error('away')) : Promise.resolve(read.text)),
  });
  const answer = await fetch(listener.url);
  t.is(answer.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
  t.is(await answer.text(), read.text);
  t.is((await fetch(new URL('/', listener.url))).status, 404);
  t.is((await fetch(listener.url, { method: 'POST' })).status, 404);
  read.fails = true;
  t.is((await fetch(listener.url)).status, 500);
  const port = Number(new URL(listener.url).port);
  await t.throwsAsync(listenForMetrics({ ...options, port, read: () => Promise.resolve('') }), { code: 'EADDRINUSE' });
  await listener.close();
  await t.throwsAsync(fetch(listener.url));
});
