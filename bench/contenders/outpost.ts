import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../embedded/choose-port.ts';
import { untilQuiet } from '../support/cpu.ts';
import { ForkedProcess } from '../support/forked-process.ts';
import { pidOf, type BenchServers } from '../support/servers.ts';
import { disposeAll, type Contender } from './contender.ts';
import { missing, programOf, startPostgres, startRabbit, startRedis, startServer } from './outside-servers.ts';

const run = promisify(execFile);
const [apiKey, topic] = ['bench', 'item.created'];

/** Why it is left out; null when everything is there. */
export function outpostMissing(): string | null {
  const names = missing(['outpost', 'redis', 'rabbitmq', 'epmd', 'postgres', 'initdb']);
  return names.length === 0 ? null : `beside Outpost: there is no ${names.join(', ')} here`;
}

/** Outpost in one process with all its services, and a tenant with a webhook for each address. */
export async function startOutpost(
  servers: BenchServers,
  { urls, rowsFile }: { urls: readonly string[]; rowsFile: string },
): Promise<Contender> {
  const { folder, certificates } = servers;
  const [redis, postgres, rabbit] = await Promise.all([startRedis(folder), startPostgres(folder), startRabbit(folder)]);
  const port = await freePort();
  const environment = {
    API_PORT: String(port),
    API_KEY: apiKey,
    API_JWT_SECRET: randomUUID(),
    TOPICS: topic,
    LOG_LEVEL: 'warn',
    AES_ENCRYPTION_SECRET: randomUUID().slice(0, 32),
    REDIS_HOST: '127.0.0.1',
    REDIS_PORT: String(redis.port),
    POSTGRES_URL: `postgres://postgres@127.0.0.1:${postgres.port}/postgres?sslmode=disable`,
    RABBITMQ_SERVER_URL: `amqp://guest:guest@127.0.0.1:${rabbit.port}`,
    PUBLISH_MAX_CONCURRENCY: '100',
    DELIVERY_MAX_CONCURRENCY: '100',
    LOG_MAX_CONCURRENCY: '100',
    // Five attempts, as the product makes them. Logs are written after a second, so that their CPU time is counted.
    RETRY_SCHEDULE: '1,2,4,8',
    DELIVERY_TIMEOUT_SECONDS: '10',
    LOG_BATCH_THRESHOLD_SECONDS: '1',
    DISABLE_TELEMETRY: 'true',
    SSL_CERT_FILE: certificates.bundleFile,
  };
  const cli = programOf('outpost');
  await run(cli, ['migrate', 'apply', '--yes'], { env: { ...process.env, ...environment } });
  const command = join(dirname(cli), 'outpost-server');
  const outpost = await startServer({ name: 'outpost', command, args: [], environment, folder, port });
  const pids = {
    outpost: pidOf(outpost.process),
    redis: pidOf(redis.process),
    postgres: pidOf(postgres.process),
    rabbitmq: pidOf(rabbit.process),
  };
  const url = `http://127.0.0.1:${port}`;
  const accounts: string[] = [];
  for (const receiverUrl of urls) accounts.push(await addTenant(url, receiverUrl));
  const maker = await ForkedProcess.start('outpost-maker', {
    BENCH_OUTPOST_URL: url,
    BENCH_OUTPOST_KEY: apiKey,
    BENCH_ROWS_FILE: rowsFile,
    BENCH_RECEIVER_URL: '',
  });
  return {
    accounts,
    maker,
    pids,
    untilRecorded: () => untilQuiet(pids),
    [Symbol.asyncDispose]: () => disposeAll(maker, outpost, rabbit, postgres, redis),
  };
}

async function addTenant(url: string, receiverUrl: string): Promise<string> {
  const tenant = randomUUID();
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const destination = { type: 'webhook', topics: [topic], config: { url: receiverUrl } };
  const calls = [
    { method: 'PUT', path: `/api/v1/tenants/${tenant}`, body: '{}' },
    { method: 'POST', path: `/api/v1/tenants/${tenant}/destinations`, body: JSON.stringify(destination) },
  ];
  for (const { method, path, body } of calls) {
    const answer = await fetch(url + path, { method, headers, body });
    if (!answer.ok) throw new Error(`Outpost answered ${answer.status}: ${await answer.text()}`);
  }
  return tenant;
}
