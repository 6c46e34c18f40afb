import { Client } from '@temporalio/client';
import { NativeConnection, Worker, type ActivityInterceptorsFactory, type WorkerOptions } from '@temporalio/worker';
import type { Config } from '../compose/config.ts';
import { openFoundation, type Foundation, type Observation } from '../compose/foundation.ts';
import { tracedClient } from '../compose/gateways.ts';
import { reached } from '../compose/reach-temporal.ts';
import { imageStoreWatch, watchEveryMs } from '../compose/watch-service.ts';
import { composeWorker, roundNames, type RoundName } from '../compose/worker.ts';
import type { Logger } from '../platform/logger.ts';
import { startLoop, type LoopOptions } from '../platform/loop.ts';
import type { Tracing } from '../platform/tracing.ts';
import { carrierIn } from '../workflows/contracts/trace-header.ts';
import { queueKinds, queueName, type QueueKind } from '../workflows/contracts/workflows.ts';
import { buildWorkflowBundle } from './build-workflow-bundle.ts';
import { requireSearchAttributes } from './require-search-attributes.ts';

/** Parallel work of each kind in one process. Small enough that a backlog forms, because fairness orders the backlog. */
const slots: Readonly<Record<QueueKind, Partial<WorkerOptions>>> = {
  items: { maxConcurrentWorkflowTaskExecutions: 40, maxConcurrentLocalActivityExecutions: 40, maxCachedWorkflows: 500 },
  deliveries: {
    maxConcurrentWorkflowTaskExecutions: 80,
    maxConcurrentLocalActivityExecutions: 20,
    maxCachedWorkflows: 500,
  },
  // Mostly waits for downloads and decoders, which have limits of their own. Four times the share of one account.
  images: { maxConcurrentActivityTaskExecutions: 400 },
  // Mostly waits for a language model or a registry.
  enrichment: { maxConcurrentActivityTaskExecutions: 20 },
  marketplace: { maxConcurrentActivityTaskExecutions: 20 },
  // Attempts wait for receivers and for slots there; those slots are limited by account and host.
  attempts: { maxConcurrentActivityTaskExecutions: 1_000 },
  // Each sends for up to a minute, and mostly waits for its receiver.
  receivers: { maxConcurrentActivityTaskExecutions: 1_000 },
  // Each writes a few hundred items, with processor time and database load that single writes need, too.
  bulks: {
    maxConcurrentWorkflowTaskExecutions: 10,
    maxConcurrentActivityTaskExecutions: 4,
    maxCachedWorkflows: 100,
  },
};

const workflowHost: Partial<WorkerOptions> = {
  // After a worker was killed, its cached workflows wait this long before another worker takes them over. The default
  // is 10 s.
  stickyQueueScheduleToStartTimeout: '5 seconds',
};

const hostsWorkflows = (kind: QueueKind): boolean => kind === 'items' || kind === 'deliveries' || kind === 'bulks';

/**
 * With versions, a run continues on the newest build, as `patched()` allows. Deliveries are short and set their own option to
 * stay on the build they began with (workflows/deliveries/deliver-event.ts).
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
  // The process that stores a write starts its workflow; this finds what was not started.
  relay: 2_000,
  'resume-reconnected': 2_000,
  'look-at-sellers': 1_000,
  'watch-tokens': 60_000,
  'collect-images': 60_000,
  'number-events': 10_000,
  'reconcile-subscriptions': 10_000,
};

const counter =
  ({ metrics }: Foundation, loop: string): NonNullable<LoopOptions['onRound']> =>
  (outcome, seconds) => {
    metrics.loopRounds.add({ loop, outcome });
    metrics.loopSeconds.observe({ loop }, seconds);
  };

const loopOf = (foundation: Foundation, name: string, idleMs: number): LoopOptions => ({
  name,
  idleMs,
  logger: foundation.logger,
  onRound: counter(foundation, name),
});

/** A round that takes longer is treated as hanging, or as waiting for an unreachable database. */
const roundMaxMs = 30_000;

/** About the usual interval of a scraper. Every worker reads the same: many of them read less often each, down to once a minute. */
const gaugesIdleMs = ({ processes }: Config): number => 15_000 * Math.min(4, processes.workers);

export interface RunningWorkers {
  /** Waits for running work, then closes everything. */
  stop(): Promise<void>;
  /** Rejects when a worker stops without a call of `stop`. */
  readonly done: Promise<void>;
  /** Whether all queues are polled, and this worker's relay has looked lately. */
  readonly isReady: () => boolean;
}

const isWanted = ({ workerLoops }: Config, name: string): boolean =>
  workerLoops.length === 0 || workerLoops.includes(name);

/** Hosts workflows, activities and the loops in this process. Resolves when all of them poll. */
export async function runWorkers(
  config: Config,
  logger: Logger,
  { metrics, tracing }: Observation = {},
): Promise<RunningWorkers> {
  const connection = await reached(NativeConnection.connect(config.temporal.connection));
  await requireSearchAttributes(connection, config.temporal.namespace);
  const client = new Client({ connection, namespace: config.temporal.namespace, ...tracedClient(tracing) });
  const opened = await openFoundation({ config, logger, ...(metrics && { metrics }), tracing });
  const foundation = { ...opened, client };
  const parts = composeWorker(foundation);
  const workflowBundle =
    config.workflowBundle === '' ? await buildWorkflowBundle() : { codePath: config.workflowBundle };
  const kinds = queueKinds.filter((kind) => config.workerQueues.length === 0 || config.workerQueues.includes(kind));
  const workers = await Promise.all(
    kinds.map((kind) =>
      createWorker({
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
  const rounds = roundNames.filter((name) => isWanted(config, name));
  let lookedAt = performance.now();
  const toRun: typeof parts.rounds = {
    ...parts.rounds,
    relay: async () => {
      const isMore = await parts.rounds.relay();
      lookedAt = performance.now();
      return isMore;
    },
  };
  const loops = rounds.map((name) => startLoop(toRun[name], loopOf(foundation, name, loopIdleMs[name])));
  loops.push(startLoop(parts.watchClock, loopOf(foundation, 'watch-clock', watchEveryMs)));
  loops.push(startLoop(imageStoreWatch(foundation), loopOf(foundation, 'watch-image-store', watchEveryMs)));
  // Without exposed metrics no values are read for them.
  if (config.metrics.port !== null)
    loops.push(startLoop(parts.readGauges, loopOf(foundation, 'read-gauges', gaugesIdleMs(config))));
  const isAlive = (): boolean => !rounds.includes('relay') || performance.now() - lookedAt < roundMaxMs;
  return {
    done,
    isReady: () => isAlive() && workers.every((worker) => worker.getState() === 'RUNNING'),
    stop: async () => {
      parts.hurry();
      // Stopped together: a round may take as long as a marketplace call, and no new work should start meanwhile.
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
      await Promise.all([Promise.allSettled(runs), ...loops.map((loop) => loop.stop())]);
      await parts.close();
      await connection.close();
    },
  };
}

/** It asks for the namespace, to which a key may have no right. */
const createWorker = (options: WorkerOptions): Promise<Worker> => reached(Worker.create(options));

/** Each try of an activity is a span of the trace in which its workflow was started or signalled. */
const tracedActivities =
  (tracing: Tracing): ActivityInterceptorsFactory =>
  ({ info }) => ({
    inbound: {
      execute: (input, next) => {
        const attributes = {
          'temporal.workflow.type': info.workflowType ?? '',
          'temporal.workflow.id': info.workflowExecution?.workflowId ?? '',
          'temporal.activity.attempt': info.attempt,
        };
        const span = {
          name: info.activityType,
          kind: 'internal',
          parent: carrierIn(input.headers),
          attributes,
        } as const;
        return tracing.span(span, () => next(input));
      },
    },
  });
