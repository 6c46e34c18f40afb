import { randomBytes } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { tsToMs } from '@temporalio/common/lib/time.js';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker, type WorkflowBundleOption } from '@temporalio/worker';
import { queueName, type QueueKind } from '../../../workflows/contracts/workflows.ts';
import {
  accountIdKey,
  blockedReasonKey,
  endpointKey,
  externalIdKey,
  stageKey,
} from '../../../workflows/contracts/search-attributes.ts';
import { silenceTemporal } from '../../support/silence-temporal.ts';

export interface WorkflowHosts {
  readonly client: Client;
  /** Base name of the queues (workflows/contracts/workflows.ts). */
  readonly taskQueue: string;
  /** Workers on queues of another base name, with other workflow code if so wished; those of `taskQueue` run already. */
  startWorkers(taskQueue: string, workflowBundle?: WorkflowBundleOption): Promise<void>;
  stop(): Promise<void>;
}

export interface TimeSkipping extends WorkflowHosts {
  /** The server's time, which is ahead of the clock on the wall. */
  now(): Promise<number>;
  /** Lets this much time pass at once: timers that are due by then fire. */
  pass(ms: number): Promise<void>;
}

interface Hosted {
  /** The first one hosts the workflows. */
  readonly kinds: readonly [QueueKind, ...QueueKind[]];
  readonly activities: object;
}

/** A server that skips time while a result is awaited, with a worker for each kind of queue. One test at a time: time is one for all. */
export async function startTimeSkipping(hosted: Hosted): Promise<TimeSkipping> {
  silenceTemporal();
  const path = setting('ITEMBRIDGE_TEMPORAL_TEST_SERVER_BIN');
  const environment = await TestWorkflowEnvironment.createTimeSkipping({
    server: { executable: { type: 'existing-path', path } },
  });
  await addSearchAttributes(environment);
  return {
    ...(await hostOn(environment, hosted)),
    now: () => environment.currentTimeMs(),
    pass: (ms) => environment.sleep(ms),
  };
}

/** The same on a server that runs already and knows the search attributes; its time is the clock's. */
export async function startOnServer(address: string, hosted: Hosted): Promise<WorkflowHosts> {
  silenceTemporal();
  return hostOn(await TestWorkflowEnvironment.createFromExistingServer({ address }), hosted);
}

async function hostOn(environment: TestWorkflowEnvironment, hosted: Hosted): Promise<WorkflowHosts> {
  const running: RunningWorker[] = [];
  const startWorkers: WorkflowHosts['startWorkers'] = async (queue, workflowBundle = presentBundle()) => {
    running.push(...(await startWorkersOn(environment, { ...hosted, workflowBundle }, queue)));
  };
  const taskQueue = newTaskQueue();
  await startWorkers(taskQueue);
  return {
    client: environment.client,
    taskQueue,
    startWorkers,
    stop: async () => {
      for (const { worker } of running) worker.shutdown();
      await Promise.allSettled(running.map(({ run }) => run));
      await environment.teardown();
    },
  };
}

const presentBundle = (): WorkflowBundleOption => ({ codePath: setting('TEST_WORKFLOW_BUNDLE') });

export const newTaskQueue = (): string => `t${randomBytes(6).toString('hex')}`;

interface RunningWorker {
  readonly worker: Worker;
  readonly run: Promise<void>;
}

async function startWorkersOn(
  { nativeConnection: connection }: TestWorkflowEnvironment,
  { kinds, activities, workflowBundle }: Hosted & { readonly workflowBundle: WorkflowBundleOption },
  taskQueue: string,
): Promise<RunningWorker[]> {
  const workers = await Promise.all(
    kinds.map((kind, n) =>
      Worker.create({
        connection,
        taskQueue: queueName(taskQueue, kind),
        activities,
        // A test that failed may have left a call unanswered.
        shutdownForceTime: '2 seconds',
        // Nothing is cached, so every task replays the run from its beginning: each test proves determinism as well.
        ...(n === 0 && { workflowBundle, maxCachedWorkflows: 0 }),
      }),
    ),
  );
  return workers.map((worker) => ({ worker, run: worker.run() }));
}

/** A workflow that sets an attribute the server doesn't know would hang. */
async function addSearchAttributes({ connection, namespace = 'default' }: TestWorkflowEnvironment): Promise<void> {
  const keys = [accountIdKey, externalIdKey, stageKey, blockedReasonKey, endpointKey];
  /** INDEXED_VALUE_TYPE_KEYWORD in Temporal's protocol. */
  const keyword = 2;
  const searchAttributes = Object.fromEntries(keys.map(({ name }) => [name, keyword]));
  await connection.operatorService.addSearchAttributes({ namespace, searchAttributes });
}

/** Everything that happened to a run so far. */
export const eventsOf = async (client: Client, workflowId: string, runId?: string) =>
  (await client.workflow.getHandle(workflowId, runId).fetchHistory()).events ?? [];

/** How long the run's own waits are, in order. Exact: a timer's length is in the history. */
export const timersMs = async (client: Client, workflowId: string): Promise<number[]> =>
  (await eventsOf(client, workflowId)).flatMap(({ timerStartedEventAttributes: timer }) =>
    timer == null ? [] : [tsToMs(timer.startToFireTimeout)],
  );

const setting = (name: string): string => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: run the tests by "npm test"`);
  return value;
};
