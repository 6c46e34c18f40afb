import { Client } from '@temporalio/client';
import { NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import { openFoundation, type Foundation, type Observation, firstLookOf } from '../compose/foundation.ts';
import { tracedClient } from '../compose/gateways.ts';
import { watchClockEveryMs } from '../compose/watch-service.ts';
import { composeWorker, roundNames, type RoundName } from '../compose/worker.ts';
import type { Config } from '../compose/config.ts';
import type { Logger } from '../platform/logger.ts';
import { startLoop, type LoopOptions } from '../platform/loop.ts';
import { queueKinds, queueName, type QueueKind } from '../workflows/contracts/queues.ts';
import { buildWorkflowBundle } from './build-workflow-bundle.ts';
import { requireSearchAttributes } from './require-search-attributes.ts';
import { tracedActivities } from './traced-activities.ts';

/** How much of each kind runs at once in one process. Few enough that a backlog forms, because fairness orders the backlog. */
const slots: Readonly<Record<QueueKind, Partial<WorkerOptions>>> = {
  items: { maxConcurrentWorkflowTaskExecutions: 40, maxConcurrentLocalActivityExecutions: 40, maxCachedWorkflows: 500 },
  deliveries: { maxConcurrentWorkflowTaskExecutions: 80, maxCachedWorkflows: 500 },
  images: { maxConcurrentActivityTaskExecutions: 4 },
  // Mostly waiting for a language model or a registry.
  enrichment: { maxConcurrentActivityTaskExecutions: 20 },
  marketplace: { maxConcurrentActivityTaskExecutions: 20 },
  // Mostly waiting for receivers. More than the attempts in flight, so that whoever has to wait is told so at once.
  attempts: { maxConcurrentActivityTaskExecutions: 250 },
  // Each holds its slot for seconds. After a general outage all endpoints recover at once, and live attempts must not wait for that.
  recoveries: { maxConcurrentActivityTaskExecutions: 30 },
  // Each is a few hundred items' worth of work for processor and database, which single writes need, too.
  bulks: {
    maxConcurrentWorkflowTaskExecutions: 10,
    maxConcurrentActivityTaskExecutions: 4,
    maxCachedWorkflows: 100,
  },
};

const workflowHost: Partial<WorkerOptions> = {
  // Workflows that a killed worker had in its cache wait so long for it before another takes them over; 10 s by default.
  stickyQueueScheduleToStartTimeout: '5 seconds',
};

const hostsWorkflows = (kind: QueueKind): boolean => kind === 'items' || kind === 'deliveries' || kind === 'bulks';

/**
 * With versions a run of this worker's workflows goes on with the newest build when there is a newer one, as `patched()` allows;
 * deliveries, whose runs are short, say of themselves that they end on the build they began with (workflows/webhooks/deliver-event.ts).
 */
const versioning = ({ workerVersion }: Config): Partial<WorkerOptions> =>
  workerVersion === null
    ? {}
    : {
        workerDeploymentOptions: {
          useWorkerVersioning: true,
          version: workerVersion,
          defaultVersioningBehavior: 'AUTO_UPGRADE',
        },
      };

const loopIdleMs: Readonly<Record<RoundName, number>> = {
  'sweep-items': 1_000,
  'sweep-deliveries': 1_000,
  'sweep-recoveries': 1_000,
  'sweep-bulk-syncs': 1_000,
  'feed-backlog': 100,
  'resume-reconnected': 1_000,
  'read-feeds': 250,
  'collect-images': 60_000,
  // Reading is exact at any time: this only keeps what has to be added small, and a new item's first changes are counted together.
  'count-items': 2_000,
  'reconcile-subscriptions': 5_000,
};

/** Where the worker looks first, somebody waits for each of its looks. */
const idleMsOf = (name: RoundName, foundation: Foundation): number =>
  name === 'sweep-items' && firstLookOf(foundation) === 'lane' ? 50 : loopIdleMs[name];

const counter =
  ({ metrics }: Foundation, loop: string): NonNullable<LoopOptions['onRound']> =>
  (outcome, seconds) => {
    metrics.loopRounds.add({ loop, outcome });
    metrics.loopSeconds.observe({ loop }, seconds);
  };

const loopOf = (foundation: Foundation, name: string, idleMs: number): LoopOptions => ({
  ...{ name, idleMs, logger: foundation.logger },
  onRound: counter(foundation, name),
});

/** As often as they are usually read. */
const gaugesEveryMs = 15_000;

export interface RunningWorkers {
  /** Drains what runs, then closes everything. */
  stop(): Promise<void>;
  /** Rejects when a worker stops by itself. */
  readonly done: Promise<void>;
}

/** Hosts workflows, activities and the loops in this process. Resolves when all of them poll. */
export async function runWorkers(
  config: Config,
  logger: Logger,
  { metrics, tracing }: Observation = {},
): Promise<RunningWorkers> {
  const connection = await NativeConnection.connect({ address: config.temporal.address });
  await requireSearchAttributes(connection, config.temporal.namespace);
  const client = new Client({ connection, namespace: config.temporal.namespace, ...tracedClient(tracing) });
  const foundation = await openFoundation({ config, logger, client, ...(metrics && { metrics }), tracing });
  const parts = composeWorker(foundation);
  const workflowBundle =
    config.workflowBundle === '' ? await buildWorkflowBundle() : { codePath: config.workflowBundle };
  const kinds = queueKinds.filter((kind) => config.workerQueues.length === 0 || config.workerQueues.includes(kind));
  const workers = await Promise.all(
    kinds.map((kind) =>
      Worker.create({
        connection,
        namespace: config.temporal.namespace,
        taskQueue: queueName(config.temporal.taskQueue, kind),
        activities: parts.activities,
        shutdownGraceTime: '10 seconds',
        maxConcurrentActivityTaskPolls: 2,
        ...(tracing && { interceptors: { activity: [tracedActivities(tracing)] } }),
        ...versioning(config),
        ...slots[kind],
        ...(hostsWorkflows(kind) && { workflowBundle, ...workflowHost }),
      }),
    ),
  );
  const runs = workers.map((worker) => worker.run());
  const done = Promise.all(runs).then(() => undefined);
  const loops = roundNames.map((name) =>
    startLoop(parts.rounds[name], loopOf(foundation, name, idleMsOf(name, foundation))),
  );
  loops.push(startLoop(parts.watchClock, loopOf(foundation, 'watch-clock', watchClockEveryMs)));
  // Nobody reads the numbers: then nothing is counted for them.
  if (config.metrics.port !== null)
    loops.push(startLoop(parts.readGauges, loopOf(foundation, 'read-gauges', gaugesEveryMs)));
  return {
    done,
    stop: async () => {
      // Together: a loop's round may take as long as a call to the marketplace, and nothing new should be taken meanwhile.
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
      await Promise.all([Promise.allSettled(runs), ...loops.map((loop) => loop.stop())]);
      await parts.close();
      await connection.close();
    },
  };
}
