import { join } from 'node:path';
import test from 'ava';
import { freePort } from '../../embedded/choose-port.ts';
import { ManagedProcess, tailOf } from '../../embedded/managed-process.ts';
import { nodeProcess } from '../../embedded/node-process.ts';
import { migrateDatabase } from '../../compose/migrate.ts';
import { loadConfig } from '../../compose/config.ts';
import { until } from '../support/until.ts';
import { worldEnvironment } from '../support/world.ts';

test('API and worker that start before the migration live and are not ready, say what to run, and go on after it', async (t) => {
  const [port, apiMetrics, workerMetrics] = [await freePort(), await freePort(), await freePort()];
  const settings = worldEnvironment({
    MARKETPLACE_URL: 'http://127.0.0.1:9',
    API_PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    LOG_LEVEL: 'info',
  });
  const begin = (name: 'api' | 'worker', metrics: number): ManagedProcess => {
    const logFile = join(process.env['TEST_DIRECTORY'] ?? '.', `awaits-migration-${name}.log`);
    const environment = { ...process.env, ...settings, METRICS_PORT: String(metrics) };
    const { plan } = nodeProcess({ name, entry: `bin/${name}.ts`, environment, logFile });
    // Started without waiting for it.
    return new ManagedProcess({ ...plan, waitReady: () => Promise.resolve() });
  };
  const processes = [begin('api', apiMetrics), begin('worker', workerMetrics)];
  t.teardown(() => Promise.all(processes.map((one) => one.stop())));
  await Promise.all(processes.map((one) => one.start()));
  const get = (at: number, path: string) => fetch(`http://127.0.0.1:${at}${path}`).catch(() => null);
  const statusOf = async (at: number, path: string) => (await get(at, path))?.status;
  const awaits = processes.map(({ plan }) =>
    until(`${plan.name} waits`, async () => /database\.migration_awaited/.test(tailOf(plan.logFile, 20))),
  );
  await Promise.all(awaits);
  for (const { plan } of processes) t.regex(tailOf(plan.logFile, 20), /"run":"itembridge migrate"/);
  await until('the API says so', async () => (await statusOf(port, '/healthz')) === 200);
  t.is(await statusOf(port, '/readyz'), 503);
  const put = await fetch(`http://127.0.0.1:${port}/integration/v1/items/A1`, { method: 'PUT', body: '{}' });
  t.deepEqual([put.status, put.headers.get('retry-after')], [503, '5']);
  t.like(await put.json(), { code: 'UNAVAILABLE', statusCode: 503 });
  t.deepEqual([await statusOf(workerMetrics, '/healthz'), await statusOf(workerMetrics, '/readyz')], [200, 503]);

  await migrateDatabase(loadConfig(settings).mongo);
  await until('the API is ready', async () => (await statusOf(port, '/readyz')) === 200);
  t.is(await statusOf(port, '/integration/v1/items/A1'), 401);
  await until('the worker is ready', async () => (await statusOf(workerMetrics, '/readyz')) === 200);
});
