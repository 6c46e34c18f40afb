import { createDeliveryActivities } from '../activities/delivery-activities.ts';
import { createRecoveryActivities } from '../activities/recovery-activities.ts';
import { attemptBounds } from '../core/webhooks/attempt-bounds.ts';
import { attemptTimeoutMs } from '../core/webhooks/retry-schedule.ts';
import type { Orchestrator } from '../gateways/orchestrator/port.ts';
import { createHttpsWebhookSender } from '../gateways/webhook-sender/https-webhook-sender.ts';
import { createGuardedAgent } from '../platform/guarded-agent.ts';
import { createEncryption } from '../security/encryption.ts';
import type { Delivery } from '../store/deliveries/deliveries.ts';
import { bindDeliveries } from '../usecases/deliveries/bind-deliveries.ts';
import { firstAttemptDependencies } from '../usecases/deliveries/bind-first-attempts.ts';
import { deliveryHints } from '../usecases/deliveries/delivery-hints.ts';
import { FirstAttempts } from '../usecases/deliveries/first-attempts.ts';
import { sweepDeliveries } from '../usecases/deliveries/start-delivery.ts';
import type { Hints } from '../usecases/hints.ts';
import { bindRecoveries } from '../usecases/recoveries/bind-recoveries.ts';
import { sweepRecoveries } from '../usecases/recoveries/sweep-recoveries.ts';
import { now, type Foundation } from './foundation.ts';
import { observeDeliveries, tracedSender } from './observe-deliveries.ts';

/** Deliveries and recoveries. A pool of their own: slow receivers must not take the connections that images need. */
export function composeSending(
  { config, logger, store, metrics, tracing }: Foundation,
  { orchestrator, hints }: { orchestrator: Orchestrator; hints: Hints },
) {
  // No delivery waits for a connection, not even where many endpoints share a host and some of them hang.
  const agent = createGuardedAgent({ ...config, connectionsPerOriginMax: attemptBounds.inFlightMax });
  const sender = tracedSender(createHttpsWebhookSender({ agent, timeoutMs: attemptTimeoutMs }), tracing);
  const encryption = createEncryption(config.secrets.encryptionKeys);
  const dependencies = bindDeliveries({ store, encryption, sender, logger, observer: observeDeliveries(metrics), now });
  const { deliveries } = dependencies;
  const { startDelivery } = deliveryHints(hints, orchestrator);
  const lane =
    config.deliveries.firstAttempt === 'lane'
      ? new FirstAttempts(firstAttemptDependencies(store, dependencies, { handOver: startDelivery, logger }))
      : undefined;
  return {
    /** Begins new deliveries, beside the critical path. What gets lost is found by the sweep. */
    begin: (made: readonly Delivery[]): void => {
      for (const delivery of made.filter(({ state }) => state === 'pending')) {
        if ((lane?.offer(delivery) ?? 'no') === 'no') startDelivery(delivery);
      }
    },
    activities: {
      ...createDeliveryActivities(dependencies),
      ...createRecoveryActivities(bindRecoveries(store, dependencies, now)),
    },
    rounds: {
      'sweep-deliveries': async () => (await sweepDeliveries({ deliveries, orchestrator, lane, now })) > 0,
      'sweep-recoveries': async () => (await sweepRecoveries({ store, orchestrator, now })) > 0,
    },
    close: async () => {
      await lane?.close();
      await agent.close();
    },
  };
}
