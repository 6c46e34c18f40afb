import { randomUUID } from 'node:crypto';
import { attemptBounds, attemptTimeoutMs } from '../core/webhooks/delivery.ts';
import { DeliveryQueues } from '../dispatch/delivery-queues.ts';
import { Dispatcher } from '../dispatch/dispatcher.ts';
import { Ownership } from '../dispatch/ownership.ts';
import { Relay } from '../dispatch/relay.ts';
import { createMailTurns } from '../dispatch/send-mails.ts';
import { WorkflowStarts } from '../dispatch/start-workflows.ts';
import type { Turns } from '../dispatch/turns.ts';
import { createSmtpMailer } from '../gateways/mail/smtp-mailer.ts';
import { createHttpsWebhookSender } from '../gateways/webhook-sender/https-webhook-sender.ts';
import { createGuardedAgent } from '../platform/guarded-agent.ts';
import { createEncryption } from '../security/encryption.ts';
import { createDoorbell } from '../store/dispatch/doorbell.ts';
import { createAcceptor } from '../store/items/accept-writes.ts';
import { createItemLineStore } from '../store/items/item-lines.ts';
import { createItemStore } from '../store/items/items.ts';
import type { DeliveryContext } from '../usecases/deliveries/prepare-attempt.ts';
import { ReceiverSlots } from '../usecases/deliveries/receiver-slots.ts';
import type { AdvanceDependencies } from '../usecases/items/advance-item.ts';
import { sendMail } from '../usecases/mail/send-mail.ts';
import { createMemberReferences } from '../usecases/operations/find-account.ts';
import { composeOrchestrator, type Foundation, type WorkerFoundation } from './foundation.ts';
import { startOf } from './starts.ts';
import { advanceTeller, observeDeliveries, tracedSender } from './observe.ts';

/** The dispatcher of this worker, and what the worker's activities share with it. */
export function composeDispatch(foundation: WorkerFoundation) {
  const { store, logger, metrics, tracing, now } = foundation;
  const doorbell = createDoorbell(store);
  const onChange = (): void => void dispatcher.look().catch(() => undefined);
  const ownership = new Ownership({ store, clock: store.clock, workerId: randomUUID(), onChange });
  const owns: Ownership['owns'] = (account) => ownership.owns(account);
  const onLost = (): void => metrics.startsLost.add({});
  const orchestrator = composeOrchestrator(foundation);
  const starts = new WorkflowStarts({ store, orchestrator, logger, tracing, onLost, now });
  const { sending, closeSender } = composeSending(foundation, { workerId: ownership.workerId, ring: doorbell.ring });
  const deliveries = new DeliveryQueues({ ...sending, owns, starts });
  const acceptor = createAcceptor({ store, plan: () => deliveries.plan(), start: startOf(starts) });
  const relay = new Relay({ store, starts, now });
  const items = createItemStore(store, acceptor);
  const advance: AdvanceDependencies = {
    items,
    memberOf: createMemberReferences(store, now),
    tell: advanceTeller(foundation),
    now,
  };
  const dispatcher: Dispatcher = new Dispatcher({
    ...{ store, ownership, deliveries, starts, logger, now },
    mails: composeMails(foundation),
  });
  return {
    ...{ items, lines: createItemLineStore(store, acceptor), advance, sending, ring: doorbell.ring },
    /** Starts to take work. The caller runs `beat`, `look` and `relay` as loops. */
    start: () => dispatcher.start(),
    beat: () => ownership.beat(),
    look: () => dispatcher.look(),
    relay: () => relay.round(),
    close: async () => {
      await dispatcher.close();
      await ownership.leave().catch(() => undefined);
      doorbell.close();
      await closeSender();
    },
  };
}

function composeMails({ config, store, logger, metrics, now }: Foundation): Turns {
  const { url } = config.mail;
  const mailer = url === '' ? null : createSmtpMailer(config.mail);
  const onAttempt = (outcome: string): void => metrics.mails.add({ outcome });
  const sending = { store, mailer, publicUrl: config.publicUrl, logger, onAttempt, now };
  return createMailTurns({ store, logger, now, send: (row) => sendMail(sending, row) });
}

/** Deliveries have their own connection pool, because slow receivers must not take connections that images need. */
function composeSending(
  { config, store, logger, metrics, tracing, now }: Foundation,
  process: Pick<DeliveryContext, 'workerId' | 'ring'>,
): { readonly sending: DeliveryContext; readonly closeSender: () => Promise<void> } {
  // No delivery waits for a connection, even when many endpoints share a host and some of them hang.
  const agent = createGuardedAgent({ ...config, connectionsPerOriginMax: attemptBounds.perHostMax });
  const sending: DeliveryContext = {
    ...{ store, logger, now, ...process },
    encryption: createEncryption(config.secrets.encryptionKeys),
    sender: tracedSender(createHttpsWebhookSender({ agent, timeoutMs: attemptTimeoutMs }), tracing),
    slots: new ReceiverSlots(),
    observer: observeDeliveries(metrics),
  };
  return { sending, closeSender: () => agent.close() };
}
