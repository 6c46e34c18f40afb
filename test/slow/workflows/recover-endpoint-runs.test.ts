import { randomUUID } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { accountId, deliveryId, recoveryId } from '../../../core/ids.ts';
import { createTemporalOrchestrator } from '../../../gateways/orchestrator/temporal-orchestrator.ts';
import type { DeliveryStep } from '../../../usecases/deliveries/delivery-dependencies.ts';
import type { RecoveryStep } from '../../../usecases/recoveries/send-missed.ts';
import { deliveryWorkflowId } from '../../../workflows/contracts/deliveries.ts';
import { recoveryWorkflowId } from '../../../workflows/contracts/recoveries.ts';
import { until } from '../../support/until.ts';
import { startTemporalWithShortHistories } from '../../workflows/support/own-temporal.ts';
import { eventsOf, startOnServer, type WorkflowHosts } from '../../workflows/support/time-skipping.ts';

// Deliveries and recoveries that take so long that their history must be cut.

const historyMax = 40;
let server: Awaited<ReturnType<typeof startTemporalWithShortHistories>>;
test.before(async () => {
  server = await startTemporalWithShortHistories(historyMax);
});
test.after.always(() => server.stop());

/** Workflows on a server of short histories; each activity gets one answer after the other, the last one again and again. */
async function onShortHistories(
  t: ExecutionContext,
  answers: { attemptDelivery: readonly DeliveryStep[]; sendMissed?: readonly RecoveryStep[] },
): Promise<{ host: WorkflowHosts; calls: Record<string, number> }> {
  const calls = { attemptDelivery: 0, sendMissed: 0 };
  const next = <Step>(name: keyof typeof calls, steps: readonly Step[]): Promise<Step | undefined> => {
    const step = steps[Math.min(calls[name], steps.length - 1)];
    calls[name] += 1;
    return Promise.resolve(step);
  };
  const host = await startOnServer(server.address, {
    kinds: ['deliveries', 'attempts', 'recoveries'],
    activities: {
      attemptDelivery: () => next('attemptDelivery', answers.attemptDelivery),
      sendMissed: () => next('sendMissed', answers.sendMissed ?? []),
    },
  });
  t.teardown(() => host.stop());
  return { host, calls };
}

async function assertShortRuns(t: ExecutionContext, { client }: WorkflowHosts, workflowId: string): Promise<void> {
  await client.workflow.getHandle(workflowId).result();
  const events = await eventsOf(client, workflowId);
  t.truthy(events[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId);
  t.true(events.length < 2 * historyMax, `${events.length} events`);
}

const inLine: DeliveryStep = { kind: 'wait', forMs: 1, lastError: 'the receiver is slow' };
const closed: DeliveryStep = { kind: 'closed' };
const times = <Step>(count: number, step: Step): Step[] => Array.from({ length: count }, () => step);

test.serial('a delivery that waits in line for a long time goes on in new runs until it has ended', async (t) => {
  const { host, calls } = await onShortHistories(t, { attemptDelivery: [...times(8, inLine), closed] });
  const delivery = deliveryId(`dlv_${randomUUID()}`);
  const about = { accountId: accountId(randomUUID()), externalId: 'A1', eventType: 'item.created', target: 'e1' };
  await createTemporalOrchestrator(host.client, host.taskQueue).startDelivery({ deliveryId: delivery, ...about });
  await assertShortRuns(t, host, deliveryWorkflowId(delivery));
  t.is(calls['attemptDelivery'], 9);
});

test.serial(
  'a recovery whose delivery waits in line for a long time goes on in new runs with the same delivery',
  async (t) => {
    const follow: RecoveryStep = { kind: 'follow', deliveryId: deliveryId('dlv_1'), step: inLine, progress: '' };
    const { host, calls } = await onShortHistories(t, {
      attemptDelivery: [...times(8, inLine), closed],
      sendMissed: [...times(2, follow), { kind: 'ended' }],
    });
    const id = recoveryId(randomUUID());
    const orchestrator = createTemporalOrchestrator(host.client, host.taskQueue);
    await orchestrator.startRecovery({ recoveryId: id, accountId: accountId(randomUUID()), target: 'e1' });
    const handle = host.client.workflow.getHandle(recoveryWorkflowId(id));
    await handle.result();
    t.is(calls['sendMissed'], 3, 'each new run asks the record first');
    const runs = host.client.workflow.list({ query: `WorkflowId = '${recoveryWorkflowId(id)}'` });
    await until('the list has all runs', async () => {
      let count = 0;
      for await (const _run of runs) count += 1;
      return count >= 2;
    });
  },
);

test.serial('a recovery of very many events goes on in new runs until it has ended', async (t) => {
  const more: RecoveryStep = { kind: 'more', progress: '' };
  const { host, calls } = await onShortHistories(t, {
    attemptDelivery: [closed],
    sendMissed: [...times(12, more), { kind: 'ended' }],
  });
  const id = recoveryId(randomUUID());
  const orchestrator = createTemporalOrchestrator(host.client, host.taskQueue);
  await orchestrator.startRecovery({ recoveryId: id, accountId: accountId(randomUUID()), target: 'e1' });
  await assertShortRuns(t, host, recoveryWorkflowId(id));
  t.is(calls['sendMissed'], 13);
});
