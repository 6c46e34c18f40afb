import type { Mailer, OutgoingMail } from '../../gateways/mail/port.ts';
import { claimMail, listMailQueues } from '../../features/mail/store/mails.ts';
import { sendMail } from '../../features/mail/send-mail.ts';
import type { ApiWorld } from './api-world.ts';

const quiet = { info: () => undefined, warn: () => undefined };

/** Sends what is due in this world as the worker does, and returns it. `mailer` may fail first. */
export async function sendDueMails(
  { store, now, context }: Pick<ApiWorld, 'store' | 'now' | 'context'>,
  mailer: Mailer = { send: async () => undefined },
): Promise<OutgoingMail[]> {
  const sent: OutgoingMail[] = [];
  const recording: Mailer = {
    send: async (mail) => {
      await mailer.send(mail);
      sent.push(mail);
    },
  };
  const sending = {
    store,
    mailer: recording,
    publicUrl: context.publicUrl,
    logger: quiet,
    onAttempt: () => undefined,
    now,
  };
  for (const key of await listMailQueues(store, now()))
    for (let row = await claimMail(store, key, now()); row !== null; row = await claimMail(store, key, now()))
      await sendMail(sending, row);
  return sent;
}

/** What follows `#token=` in the link of a mail. */
export function tokenIn(mail: OutgoingMail | undefined): string {
  const [, token] = /#token=([\w-]+)/.exec(mail?.text ?? '') ?? [];
  if (token === undefined) throw new Error(`no link in ${mail?.text ?? 'no mail'}`);
  return token;
}
