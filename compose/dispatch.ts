import { Relay } from '../features/relay/relay.ts';
import { createSmtpMailer } from '../gateways/mail/smtp-mailer.ts';
import { createAcceptor } from '../features/items/store/accept-writes.ts';
import { createItemLineStore } from '../features/items/store/item-lines.ts';
import { createItemStore } from '../features/items/store/items.ts';
import type { AdvanceDependencies } from '../features/items/advance-item.ts';
import { DueMails } from '../features/mail/send-due-mails.ts';
import { sendMail } from '../features/mail/send-mail.ts';
import { beginDueRecoveries } from '../features/webhooks/begin-due-recoveries.ts';
import { composeOrchestrator, type Foundation, type WorkerFoundation } from './foundation.ts';
import { composeStartsOn } from './starts.ts';
import { advanceLogger } from './observe.ts';

/** The relay of this worker, and what the worker's activities share with it. */
export function composeDispatch(foundation: WorkerFoundation) {
  const { store, now } = foundation;
  const { hints, starts, sending, stored, close } = composeStartsOn(foundation, composeOrchestrator(foundation));
  const acceptor = createAcceptor({ store, ...hints });
  const mails = composeMails(foundation);
  const relay = new Relay({
    store,
    starts,
    now,
    beginRecoveries: () => beginDueRecoveries(store, now),
    sendMails: () => mails.begin(),
  });
  const items = createItemStore(store, acceptor);
  const advance: AdvanceDependencies = {
    items,
    log: advanceLogger(foundation),
    now,
  };
  return {
    items,
    lines: createItemLineStore(store, acceptor),
    advance,
    sending,
    stored,
    hints,
    relay: () => relay.round(),
    close: async () => {
      await Promise.all([mails.close(), close()]);
    },
  };
}

function composeMails({ config, store, logger, metrics, now }: Foundation): DueMails {
  const { url } = config.mail;
  const mailer = url === '' ? null : createSmtpMailer(config.mail);
  const onAttempt = (outcome: string): void => metrics.mails.add({ outcome });
  const sending = { store, mailer, publicUrl: config.publicUrl, logger, onAttempt, now };
  return new DueMails({ store, logger, now, send: (row) => sendMail(sending, row) });
}
