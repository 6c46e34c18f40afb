import { createDeliveryActivities } from '../activities/delivery-activities.ts';
import { createRecoveryActivities } from '../activities/recovery-activities.ts';
import { attemptBounds } from '../core/webhooks/attempt-bounds.ts';
import { attemptTimeoutMs } from '../core/webhooks/retry-schedule.ts';
import type { Orchestrator } from '../gateways/orchestrator/port.ts';
import { createHttpsWebhookSender } from '../gateways/webhook-sender/https-webhook-sender.ts';
import { createGuardedAgent } from '../platform/guarded-agent.ts';
import { createEncryption } from '../security/encryption.ts';
import { bindDeliveries } from '../usecases/deliveries/bind-deliveries.ts';
import { sweepDeliveries } from '../usecases/deliveries/start-delivery.ts';
import { bindRecoveries } from '../usecases/recoveries/bind-recoveries.ts';
import { sweepRecoveries } from '../usecases/recoveries/sweep-recoveries.ts';
import { now, type Foundation } from './foundation.ts';

/** Deliveries and recoveries. A pool of their own: slow receivers must not take the connections that images need. */
export function composeSending({ config, logger, store }: Foundation, orchestrator: Orchestrator) {
  // No delivery waits for a connection, not even where many endpoints share a host and some of them hang.
  const agent = createGuardedAgent({ ...config, connectionsPerOriginMax: attemptBounds.inFlightMax });
  const sender = createHttpsWebhookSender({ agent, timeoutMs: attemptTimeoutMs });
  const encryption = createEncryption(config.secrets.encryptionKeys);
  const dependencies = bindDeliveries({ store, encryption, sender, logger, now });
  const { deliveries } = dependencies;
  return {
    activities: {
      ...createDeliveryActivities(dependencies),
      ...createRecoveryActivities(bindRecoveries(store, dependencies, now)),
    },
    rounds: {
      'sweep-deliveries': async () => (await sweepDeliveries({ deliveries, orchestrator, now })) > 0,
      'sweep-recoveries': async () => (await sweepRecoveries({ store, orchestrator, now })) > 0,
    },
    close: () => agent.close(),
  };
}
