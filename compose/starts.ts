import { Client } from '@temporalio/client';
import { attemptTimeoutMs } from '../features/webhooks/rules/retry-schedule.ts';
import { perHostMaxOf } from '../features/webhooks/rules/attempt-bounds.ts';
import { WorkflowStarts } from '../features/relay/start-workflows.ts';
import type { Orchestrator } from '../gateways/orchestrator/port.ts';
import { connectTemporal } from '../gateways/orchestrator/temporal-connection.ts';
import { createHttpsWebhookSender } from '../gateways/webhook-sender/https-webhook-sender.ts';
import { createGuardedAgent } from '../platform/guarded-agent.ts';
import { createEncryption } from '../platform/security/encryption.ts';
import { waitingDeliveries } from '../features/webhooks/store/make-deliveries.ts';
import type { Hints } from '../features/context.ts';
import type { DeliveryContext } from '../features/webhooks/prepare-attempt.ts';
import { ReceiverSlots } from '../features/webhooks/receiver-slots.ts';
import { Outcomes } from '../features/webhooks/record-outcome.ts';
import { StoredDeliveries } from '../features/webhooks/send-stored.ts';
import { composeOrchestrator, type Foundation } from './foundation.ts';
import { tracedClient } from './gateways.ts';
import { observeDeliveries, tracedSender } from './observe.ts';

export interface ComposedStarts {
  readonly hints: Hints;
  readonly starts: WorkflowStarts;
  readonly sending: DeliveryContext;
  readonly stored: StoredDeliveries;
  /** Sends and starts nothing further; waits up to ten seconds for the attempts under way. */
  readonly close: () => Promise<void>;
}

/** What a process does after its commits: first attempts of deliveries, and starts of workflows. */
export function composeStartsOn(foundation: Foundation, orchestrator: Orchestrator): ComposedStarts {
  const { config, store, logger, metrics, tracing, now, instead } = foundation;
  const onLost = (): void => metrics.startsLost.add({});
  const starts = new WorkflowStarts({ orchestrator, logger, tracing, onLost });
  // Deliveries have their own connections, because slow receivers must not take those that images need. None waits for a
  // connection, even when many endpoints share a host and some of them hang.
  const perHostMax = perHostMaxOf(config.processes);
  const agent = createGuardedAgent({
    ...config,
    connectionsPerOriginMax: perHostMax,
    ...(instead?.resolveAll && { resolveAll: instead.resolveAll }),
  });
  const parts = { store, starts, logger, observer: observeDeliveries(metrics), now };
  const sending: DeliveryContext = {
    ...parts,
    encryption: createEncryption(config.secrets.encryptionKeys),
    sender: tracedSender(createHttpsWebhookSender({ agent, timeoutMs: attemptTimeoutMs }), tracing),
    slots: instead?.slots ?? new ReceiverSlots({ perHostMax }),
    outcomes: new Outcomes(parts),
  };
  const stored = new StoredDeliveries(sending);
  const hints = { plan: () => stored.plan(), ...hintsOf(starts) };
  return {
    hints,
    starts,
    sending,
    stored,
    close: async () => {
      await stored.close();
      starts.close();
      await agent.close();
    },
  };
}

/** The same for a process without a worker. The connection to the engine opens at the first start, and may be away. */
export function composeStarts(foundation: Foundation): Pick<ComposedStarts, 'hints' | 'close'> {
  const { temporal } = foundation.config;
  const connection = connectTemporal(temporal.connection);
  const client = new Client({ connection, namespace: temporal.namespace, ...tracedClient(foundation.tracing) });
  const orchestrator = foundation.instead?.orchestrator ?? composeOrchestrator({ ...foundation, client });
  const { hints, close } = composeStartsOn(foundation, orchestrator);
  return {
    hints,
    close: async () => {
      await close();
      await connection.close();
    },
  };
}

const hintsOf = (starts: WorkflowStarts): Omit<Hints, 'plan'> => ({
  start: ({ id, requestId = null, ...item }) => starts.itemSoon({ ...item, _id: id, requestId }),
  deliverySoon: starts.deliverySoon,
  signalReceiver: starts.signalReceiver,
  bulkSyncSoon: starts.bulkSyncSoon,
});

const nothing = (): void => undefined;

/** A command sends nothing and starts nothing: relays do. */
export const hintsOfCommand: Hints = {
  plan: waitingDeliveries,
  start: nothing,
  deliverySoon: nothing,
  signalReceiver: nothing,
  bulkSyncSoon: nothing,
};
