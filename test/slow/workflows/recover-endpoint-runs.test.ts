import { randomUUID } from 'node:crypto';
import test from 'ava';
import { accountId, deliveryId, recoveryId } from '../../../core/ids.ts';
import { createTemporalOrchestrator } from '../../../gateways/orchestrator/temporal-orchestrator.ts';
import type { RecoveryStep } from '../../../usecases/recoveries/send-missed.ts';
import { recoveryWorkflowId } from '../../../workflows/contracts/workflows.ts';
import { startTemporalWithShortHistories } from '../../workflows/support/own-temporal.ts';
import { eventsOf, startOnServer } from '../../workflows/support/time-skipping.ts';

// Recoveries that take so long that their history must be cut.

const historyMax = 40;
let server: Awaited<ReturnType<typeof startTemporalWithShortHistories>>;
test.before(async () => {
  server = await startTemporalWithShortHistories(historyMax);
});
test.after.always(() => server.stop());

for (const [what, step] of Object.entries({
  'very many events': { kind: 'more', progress: '' },
  'very many events that fail once': { kind: 'follow', deliveryId: deliveryId('dlv_1'), progress: '' },
} satisfies Record<string, RecoveryStep>)) {
  test.serial(`a recovery of ${what} goes on in new runs until it has ended`, async (t) => {
    let sent = 0;
    const host = await startOnServer(server.address, {
      kinds: ['deliveries', 'attempts', 'recoveries'],
      activities: {
        attemptDelivery: () => Promise.resolve(),
        sendMissed: () => Promise.resolve((sent += 1) > 12 ? { kind: 'ended' } : step),
      },
    });
    t.teardown(() => host.stop());
    const id = recoveryId(randomUUID());
    const orchestrator = createTemporalOrchestrator(host.client, host.taskQueue);
    await orchestrator.startRecovery({ recoveryId: id, accountId: accountId(randomUUID()), target: 'e1' });
    const workflowId = recoveryWorkflowId(id);
    await host.client.workflow.getHandle(workflowId).result();
    const events = await eventsOf(host.client, workflowId);
    t.truthy(events[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId);
    t.true(events.length < 2 * historyMax, `${events.length} events`);
    t.is(sent, 13);
  });
}
