import {
  WorkflowIdConflictPolicy,
  WorkflowIdReusePolicy,
  type Client,
  type WorkflowClientInterceptor,
} from '@temporalio/client';
import { asCode } from '../../features/operations/rules/explain-wait.ts';
import type { Tracing } from '../../platform/tracing.ts';
import {
  bulkPriorityKey,
  bulkSyncType,
  bulkSyncWorkflowId,
  deliverEventType,
  deliveryWorkflowId,
  itemLifecycleType,
  itemWorkflowId,
  lookAgainSignalName,
  queueName,
  receiverType,
  receiverWorkflowId,
  type BulkSyncInput,
  type DeliverEventInput,
  type ItemLifecycleInput,
  type ReceiverInput,
} from '../../workflows/contracts/workflows.ts';
import {
  accountIdKey,
  endpointKey,
  externalIdKey,
  stageKey,
  type Stage,
} from '../../workflows/contracts/search-attributes.ts';
import { withCarrier } from '../../workflows/contracts/trace-header.ts';
import type { Orchestrator, SignalledItem, StartedReceiver } from './port.ts';
import { withinDeadline } from './temporal-connection.ts';

/** A start waits this long at most; its outcome is then unknown, which is fine, because every start here may be repeated. */
const deadlineMs = 1_500;

/** The stored row decides whether work is left, so a workflow that was lost or terminated by hand may be started again. */
const startedOnce = {
  workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
  workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
} as const;

/** The durable engine is Temporal. `taskQueue` is the base name of the queues (workflows/contracts/workflows.ts). */
export function createTemporalOrchestrator(client: Client, taskQueue: string): Orchestrator {
  const soon = async (start: () => Promise<unknown>): Promise<void> => {
    await withinDeadline(client, deadlineMs, start);
  };
  return {
    signalItem: (item) => soon(() => signalItem(client, queueName(taskQueue, 'items'), item)),
    startReceiver: (receiver) =>
      soon(() =>
        client.workflow.start(receiverType, {
          ...receiverOptions(queueName(taskQueue, 'deliveries'), receiver),
          ...startedOnce,
        }),
      ),
    signalReceiver: (receiver) =>
      soon(() =>
        client.workflow.signalWithStart(receiverType, {
          ...receiverOptions(queueName(taskQueue, 'deliveries'), receiver),
          signal: lookAgainSignalName,
          signalArgs: [],
          workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
        }),
      ),
    startDelivery: async ({ deliveryId, ownerId, attempt, accountId, externalId, eventType, target }) => {
      const input: DeliverEventInput = { deliveryId, accountId: ownerId, attempt };
      await soon(() =>
        client.workflow.start(deliverEventType, {
          workflowId: deliveryWorkflowId(deliveryId),
          taskQueue: queueName(taskQueue, 'deliveries'),
          args: [input],
          ...startedOnce,
          typedSearchAttributes: [
            ...about({ accountId, stage: 'sending' }),
            { key: externalIdKey, value: externalId },
            { key: endpointKey, value: target },
          ],
          priority: { fairnessKey: target },
          staticSummary: `${eventType} ${summaryOf(externalId)}`,
        }),
      );
    },
    startBulkSync: async ({ bulkId, accountId }) => {
      const input: BulkSyncInput = { bulkId, accountId };
      await soon(() =>
        client.workflow.start(bulkSyncType, {
          workflowId: bulkSyncWorkflowId(bulkId),
          taskQueue: queueName(taskQueue, 'bulks'),
          args: [input],
          ...startedOnce,
          typedSearchAttributes: about({ accountId, stage: 'applying' }),
          priority: { priorityKey: bulkPriorityKey, fairnessKey: accountId },
          staticSummary: 'bulk sync',
        }),
      );
    },
  };
}

/** Search attributes of every run. Setting them at the start costs no workflow step. */
const about = ({ accountId, stage }: { accountId: string; stage: Stage }) => [
  { key: accountIdKey, value: accountId },
  { key: stageKey, value: stage },
];

/** Temporal's UI shows it as Markdown, and the external id is the partner's text. */
const summaryOf = (externalId: string): string => asCode(externalId.slice(0, 100));

function signalItem(client: Client, taskQueue: string, item: SignalledItem): Promise<unknown> {
  const { itemId, accountId, externalId, requestId, isBacklog = false } = item;
  const input: ItemLifecycleInput = { itemId, accountId };
  return client.workflow.signalWithStart(itemLifecycleType, {
    workflowId: itemWorkflowId(itemId),
    taskQueue,
    args: [input],
    signal: lookAgainSignalName,
    signalArgs: [],
    workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
    typedSearchAttributes: [...about({ accountId, stage: 'working' }), { key: externalIdKey, value: externalId }],
    // Its activities inherit it. A running workflow keeps the priority that it started with.
    priority: { fairnessKey: accountId, ...(isBacklog && { priorityKey: bulkPriorityKey }) },
    staticSummary: summaryOf(externalId),
    // The call that started this run; later calls are in the item's own history.
    ...(requestId != null && { memo: { requestId } }),
  });
}

function receiverOptions(taskQueue: string, { target, accountId }: StartedReceiver) {
  const input: ReceiverInput = { target, accountId };
  return {
    workflowId: receiverWorkflowId(target),
    taskQueue,
    args: [input],
    typedSearchAttributes: [...about({ accountId, stage: 'sending' }), { key: endpointKey, value: target }],
    priority: { fairnessKey: target },
    staticSummary: `receiver ${asCode(target)}`,
  };
}

/** Passes the trace to each started or signalled workflow, so that its activities are spans of the trace. */
export const tracedStarts = (tracing: Tracing): WorkflowClientInterceptor => ({
  startWithDetails: (input, next) => next({ ...input, headers: withCarrier(input.headers, tracing.carrier()) }),
  signalWithStart: (input, next) => next({ ...input, headers: withCarrier(input.headers, tracing.carrier()) }),
});
