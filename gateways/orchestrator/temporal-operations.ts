import {
  WorkflowNotFoundError,
  type Client,
  type WorkflowExecutionDescription,
  type WorkflowExecutionInfo,
} from '@temporalio/client';
import { optionalTsToDate } from '@temporalio/common/lib/time.js';
import {
  itemWorkflowId,
  queueKinds,
  queueName,
  receiverWorkflowId,
  retrySignalName,
  type QueueKind,
} from '../../workflows/contracts/workflows.ts';
import {
  accountIdKey,
  blockedReasonKey,
  externalIdKey,
  stageKey,
} from '../../workflows/contracts/search-attributes.ts';
import type {
  BlockedQuery,
  BlockedWorkflow,
  EngineOperations,
  PendingStep,
  QueueState,
  WorkflowState,
} from './operations-port.ts';
import { askWithinDeadline, hasCode } from './temporal-connection.ts';
import type { AccountId } from '../../features/rules/ids.ts';

/** Short, because an operator waits for the answer, and a missing one is also reported. */
const deadlineMs = 5_000;

/** `taskQueue` is the base name of the queues (workflows/contracts/workflows.ts). */
export function createTemporalOperations(client: Client, taskQueue: string): EngineOperations {
  const soon = <Result>(work: () => Promise<Result>): Promise<Result> => askWithinDeadline(client, deadlineMs, work);
  return {
    readQueues: () => soon(() => Promise.all(queueKinds.map((kind) => readQueue(client, taskQueue, kind)))),
    listBlocked: (query) => soon(() => listBlocked(client, taskQueue, query)),
    describeItem: (id) => soon(() => describe(client, itemWorkflowId(id))),
    retry: (workflowId) => soon(() => signalRetry(client, workflowId)),
    retryReceiver: (target) => soon(() => signalRetry(client, receiverWorkflowId(target))),
    deleteRuns: (account) => deleteRuns(client, { base: taskQueue, account, soon }),
  };
}

/** Task queues of workflows; the others only have activities. */
const ofWorkflows: ReadonlySet<QueueKind> = new Set(['items', 'deliveries', 'bulks']);
/** TASK_QUEUE_TYPE_* in Temporal's protocol. */
const taskQueueType = { workflow: 1, activity: 2 } as const;

async function readQueue(client: Client, base: string, kind: QueueKind): Promise<QueueState> {
  const { pollers, stats } = await client.workflowService.describeTaskQueue({
    namespace: client.options.namespace,
    taskQueue: { name: queueName(base, kind) },
    taskQueueType: ofWorkflows.has(kind) ? taskQueueType.workflow : taskQueueType.activity,
    reportStats: true,
  });
  const polls = pollers.flatMap(({ lastAccessTime }) => optionalTsToDate(lastAccessTime)?.getTime() ?? []);
  return {
    kind,
    lastPolledAt: polls.length === 0 ? null : new Date(Math.max(...polls)),
    backlog: Number(stats?.approximateBacklogCount ?? 0),
  };
}

/** Set by the engine after several failures of a workflow task, and removed after a success. */
const problemsAttribute = 'TemporalReportedProblems';

async function listBlocked(
  client: Client,
  base: string,
  { reason, account, limit }: BlockedQuery,
): Promise<BlockedWorkflow[]> {
  const failing = `(Stage = "failing" OR ${problemsAttribute} IS NOT NULL)`;
  const blocked = reason === undefined ? failing : `BlockedReason = ${quoted(reason)}`;
  const ofAccount = account === undefined ? '' : ` AND AccountId = ${quoted(account)}`;
  const found = await listRunning(client, `${blocked}${ofAccount} AND ${ofQueues(base)}`, limit);
  return found.map((run) => ({
    workflowId: run.workflowId,
    startedAt: run.startTime,
    reason: run.typedSearchAttributes.get(blockedReasonKey) ?? null,
    stage: run.typedSearchAttributes.get(stageKey) ?? null,
    problems: problemsOf(run.raw),
    accountId: run.typedSearchAttributes.get(accountIdKey) ?? null,
    externalId: run.typedSearchAttributes.get(externalIdKey) ?? null,
  }));
}

const quoted = (value: string): string => `"${value.replaceAll(/[\\"]/g, (mark) => `\\${mark}`)}"`;

/** Leaves out runs of other systems in the same namespace. */
const ofQueues = (base: string): string =>
  `TaskQueue IN (${queueKinds.map((kind) => quoted(queueName(base, kind))).join(', ')})`;

/** The oldest first. */
async function listRunning(client: Client, condition: string, limit: number): Promise<WorkflowExecutionInfo[]> {
  const query = `ExecutionStatus = "Running" AND ${condition}`;
  const found: WorkflowExecutionInfo[] = [];
  for await (const run of client.workflow.list({ query, pageSize: limit })) {
    found.push(run);
    if (found.length >= limit) break;
  }
  return found.sort((one, other) => one.startTime.getTime() - other.startTime.getTime());
}

/** A server attribute, which the typed attributes do not include. */
function problemsOf({ searchAttributes }: WorkflowExecutionInfo['raw']): string[] {
  const data = searchAttributes?.indexedFields?.[problemsAttribute]?.data;
  if (data == null) return [];
  const value: unknown = JSON.parse(Buffer.from(data).toString('utf8'));
  return (Array.isArray(value) ? value : [value]).map(String);
}

async function signalRetry(client: Client, workflowId: string): Promise<boolean> {
  try {
    await client.workflow.getHandle(workflowId).signal(retrySignalName);
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}

type Soon = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Deleting a run that goes on ends it. */
async function deleteRuns(
  client: Client,
  { base, account, soon }: { readonly base: string; readonly account: AccountId; readonly soon: Soon },
): Promise<number> {
  const { namespace } = client.options;
  const query = `AccountId = ${quoted(account)} AND ${ofQueues(base)}`;
  let deleted = 0;
  let from: Uint8Array = new Uint8Array();
  do {
    const page = { namespace, query, pageSize: 100, nextPageToken: from };
    const { executions, nextPageToken } = await soon(() => client.workflowService.listWorkflowExecutions(page));
    for (const { execution } of executions) if (await soon(() => deleteRun(client, execution))) deleted += 1;
    from = nextPageToken;
  } while (from.length > 0);
  return deleted;
}

/** False when it is gone already. */
async function deleteRun(client: Client, run: WorkflowExecutionInfo['raw']['execution']): Promise<boolean> {
  const { namespace } = client.options;
  try {
    await client.workflowService.deleteWorkflowExecution({ namespace, workflowExecution: run ?? null });
    return true;
  } catch (error) {
    if (hasCode(error, grpcNotFound)) return false;
    throw error;
  }
}

const grpcNotFound = 5;

async function describe(client: Client, workflowId: string): Promise<WorkflowState | null> {
  try {
    const run = await client.workflow.getHandle(workflowId).describe();
    return { ...stateOf(run), details: run.status.name === 'RUNNING' ? await readDetails(client, workflowId) : null };
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    throw error;
  }
}

/** Short, because the rest of the answer must not wait for a worker that is gone. */
const detailsWithinMs = 3_000;

async function readDetails(client: Client, workflowId: string): Promise<string | null> {
  const handle = client.workflow.getHandle(workflowId);
  try {
    const { currentDetails = '' } = await client.withDeadline(Date.now() + detailsWithinMs, () =>
      handle.query<{ readonly currentDetails?: string }>('__temporal_workflow_metadata'),
    );
    return currentDetails === '' ? null : currentDetails;
  } catch {
    return null;
  }
}

function stateOf(run: WorkflowExecutionDescription): Omit<WorkflowState, 'details'> {
  const { workflowId, status, startTime, typedSearchAttributes: attributes, raw } = run;
  return {
    workflowId,
    status: status.name,
    startedAt: startTime,
    stage: attributes.get(stageKey) ?? null,
    problems: problemsOf(raw.workflowExecutionInfo ?? {}),
    steps: (raw.pendingActivities ?? []).map(stepOf),
  };
}

type PendingActivity = NonNullable<WorkflowExecutionDescription['raw']['pendingActivities']>[number];
/** PENDING_ACTIVITY_STATE_STARTED in Temporal's protocol. */
const startedState = 2;

const stepOf = ({ activityType, attempt, state, lastFailure }: PendingActivity): PendingStep => ({
  name: activityType?.name ?? '',
  attempt: attempt ?? 1,
  isStarted: state === startedState,
  lastFailure: lastFailure?.message ?? null,
});
