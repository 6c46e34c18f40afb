// PostgreSQL and the Temporal server as the postgres, temporal-schema, temporal and temporal-register services run them.
import { chownSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { defineSearchAttributeKey, TypedSearchAttributes } from '@temporalio/common';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { freePort, run, start, until } from './processes.mjs';

const namespace = 'itembridge';
const taskQueue = 'proof';
const bigTenantSteps = 20;
const smallTenantSteps = 3;

export async function proveTemporal(place) {
  const database = await startDatabase(place);
  const { address } = await startServer(place, database);
  register(place, { TEMPORAL_ADDRESS: address });
  register(place, { TEMPORAL_ADDRESS: address });
  place.proved(
    'Temporal: server over PostgreSQL, namespace, retention, search attributes; registering again changes nothing',
  );
  await provesWork(address, place.proved);
  return { address, namespace };
}

/** PostgreSQL with Temporal's tables. Resolves with what its servers are told of it. */
export async function startDatabase(place) {
  const { root, secrets, proved } = place;
  const port = await startPostgres(place);
  const password = { TEMPORAL_POSTGRES_PASSWORD_FILE: join(secrets, 'temporal_postgres_password') };
  const env = { POSTGRES_HOST: '127.0.0.1', POSTGRES_PORT: String(port), ...password };
  const setUpSchema = () => run('sh', [join(root, 'deploy/temporal/setup-schema.sh')], { env });
  setUpSchema();
  setUpSchema();
  proved('Temporal: schema in PostgreSQL; setting it up again changes nothing');
  return { TEMPORAL_POSTGRES_ADDRESS: `127.0.0.1:${port}`, ...password };
}

const portNames = [
  'FRONTEND_GRPC',
  'FRONTEND_MEMBERSHIP',
  'FRONTEND_HTTP',
  'HISTORY_GRPC',
  'HISTORY_MEMBERSHIP',
].concat(['MATCHING_GRPC', 'MATCHING_MEMBERSHIP', 'WORKER_GRPC', 'WORKER_MEMBERSHIP']);

/**
 * A node with all roles, or those named. Several on one database are one cluster.
 * @param {{ name?: string, config?: string, dynamicConfig?: string, args?: string[], client?: object }} [node] client: the settings with which it is asked
 */
export async function startServer({ root, home }, database, node = {}) {
  const { name = 'temporal', config, dynamicConfig = join(root, 'deploy/temporal/dynamic-config.yaml'), client } = node;
  const ports = await Promise.all(portNames.map(async (name) => [`${name}_PORT`, String(await freePort())]));
  const address = `127.0.0.1:${ports[0][1]}`;
  run('temporal-server', ['validate-dynamic-config', dynamicConfig]);
  const child = start('temporal-server', ['start', ...(node.args ?? [])], {
    log: join(home, `${name}.log`),
    env: {
      ...Object.fromEntries(ports),
      ...database,
      TEMPORAL_SERVER_CONFIG_FILE_PATH: config ?? join(root, 'deploy/temporal/server-config.yaml'),
      DYNAMIC_CONFIG_FILE_PATH: dynamicConfig,
      TEMPORAL_ALLOW_NO_AUTH: 'true',
      TEMPORAL_BROADCAST_ADDRESS: '127.0.0.1',
      BIND_ON_IP: '127.0.0.1',
      LOG_LEVEL: 'warn',
    },
  });
  const env = { ...client, TEMPORAL_ADDRESS: address };
  await until(() => run('temporal', ['operator', 'cluster', 'health'], { env }), { what: name, child });
  return { address, child };
}

export const register = ({ root }, env) =>
  run('sh', [join(root, 'deploy/temporal/register.sh')], { env: { TEMPORAL_NAMESPACE: namespace, ...env } });

async function startPostgres({ root, home, secrets, programs, proved, secret }) {
  const port = await freePort();
  const data = join(home, 'postgres');
  mkdirSync(data);
  // PostgreSQL refuses to run as root.
  const isRoot = process.getuid?.() === 0;
  const user = isRoot ? 'nobody' : undefined;
  if (isRoot) chownSync(data, ...idsOf('nobody'));
  const passwords = join(home, 'postgres-password');
  run('sh', ['-c', `umask 022; cat "${join(secrets, 'postgres_password')}" >"${passwords}"`]);
  run(
    programs.initdb,
    ['-D', join(data, 'data'), '-U', 'postgres', '--auth=scram-sha-256', `--pwfile=${passwords}`, '-E', 'UTF8'],
    { user, cwd: '/' },
  );
  start(
    programs.postgres,
    [
      '-D',
      join(data, 'data'),
      '-p',
      String(port),
      '-k',
      data,
      '-c',
      'listen_addresses=127.0.0.1',
      '-c',
      // For two nodes; one alone has 200 in production.
      'max_connections=400',
    ],
    {
      user,
      log: join(home, 'postgres.log'),
    },
  );
  const env = {
    PGHOST: '127.0.0.1',
    PGPORT: String(port),
    PGPASSWORD: secret('postgres_password'),
    POSTGRES_USER: 'postgres',
  };
  await until(() => run('psql', ['-U', 'postgres', '-d', 'postgres', '-c', 'select 1'], { env }), {
    what: 'PostgreSQL',
  });
  run('sh', [join(root, 'deploy/postgres/create-databases.sh')], {
    env: { ...env, TEMPORAL_POSTGRES_PASSWORD_FILE: join(secrets, 'temporal_postgres_password') },
  });
  const isSuper = run(
    'psql',
    ['-U', 'postgres', '-d', 'postgres', '-Atc', "select rolsuper from pg_roles where rolname = 'temporal'"],
    { env },
  );
  if (isSuper !== 'f') throw new Error('the role temporal has more rights than it needs');
  proved('PostgreSQL: password authentication, role and databases for Temporal');
  return port;
}

function idsOf(user) {
  const line =
    readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .find((entry) => entry.startsWith(`${user}:`)) ?? '';
  const [, , uid, gid] = line.split(':');
  return [Number(uid), Number(gid)];
}

/** A workflow with activities, found again by its search attribute, with one slot so that fairness shows. */
async function provesWork(address, proved) {
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  const [connection, native] = await Promise.all([
    Connection.connect({ address }),
    NativeConnection.connect({ address }),
  ]);
  const client = new Client({ connection, namespace });
  const order = [];
  const accountId = `account-${process.pid}`;
  const handle = await client.workflow.start('orderOfTenants', {
    taskQueue,
    workflowId: `proof-${accountId}`,
    args: [bigTenantSteps, smallTenantSteps],
    typedSearchAttributes: new TypedSearchAttributes([
      { key: defineSearchAttributeKey('AccountId', 'KEYWORD'), value: accountId },
    ]),
  });
  const step = async (tenant) => (tenant === 'report' ? order : void order.push(tenant));
  // Workflow tasks on a worker of their own, so that all steps are queued before the first is taken.
  const shared = { connection: native, namespace, taskQueue };
  const scheduler = await Worker.create({
    ...shared,
    workflowsPath: join(import.meta.dirname, 'trivial-workflow.mjs'),
    maxEagerActivityReservationsPerWorkflowTask: 0,
  });
  const scheduled = scheduler.run();
  await until(
    async () => {
      const { pendingActivities } = (await handle.describe()).raw;
      if ((pendingActivities?.length ?? 0) < bigTenantSteps + smallTenantSteps)
        throw new Error('not all steps are queued yet');
    },
    { what: 'the workflow' },
  );
  const doer = await Worker.create({
    ...shared,
    activities: { step },
    maxConcurrentActivityTaskExecutions: 1,
    maxConcurrentActivityTaskPolls: 1,
  });
  const result = await doer.runUntil(handle.result());
  scheduler.shutdown();
  await scheduled;
  proved(`Temporal: a workflow of ${bigTenantSteps + smallTenantSteps + 1} activities ran`);

  const places = result.flatMap((tenant, index) => (tenant === 'small' ? [index + 1] : []));
  if (Math.max(...places) > bigTenantSteps / 2)
    throw new Error(`the small tenant waited behind the big one: ${places.join(', ')}`);
  proved(
    `Temporal: fairness is on, ${smallTenantSteps} steps behind ${bigTenantSteps} of another tenant ran as number ${places.join(', ')}`,
  );

  await until(
    async () => {
      const { count } = await client.workflow.count(`AccountId = "${accountId}" AND ExecutionStatus = "Completed"`);
      if (count !== 1) throw new Error(`${count} workflows found`);
    },
    { what: 'finding the workflow by its account' },
  );
  proved('Temporal: the workflow is found by its search attribute');
  await Promise.all([connection.close(), native.close()]);
}
