import { CallLog } from '../kit/admin-routes.ts';
import { createClock } from '../kit/clock.ts';
import { FaultBook } from '../kit/fault-book.ts';
import { startSimulator, type RunningSimulator } from '../kit/start-simulator.ts';
import { Mailbox, mailboxAdmin, mailboxPages } from './mailbox.ts';
import { listenForMail } from './smtp-listener.ts';

export interface RunningMailSimulator extends RunningSimulator {
  /** `smtp://127.0.0.1:port` */
  readonly smtpUrl: string;
}

/**
 * A mail server that stores what it accepts: mails arrive by SMTP, and are read in a browser or as JSON. Ports: 0 or
 * absent for any.
 */
export async function startMailSimulator(
  options: { readonly port?: number | undefined; readonly smtpPort?: number | undefined } = {},
): Promise<RunningMailSimulator> {
  const shared = { faults: new FaultBook(), calls: new CallLog(), clock: createClock() };
  const mailbox = new Mailbox();
  const smtp = await listenForMail({ ...shared, mailbox, port: options.smtpPort });
  const parts = { name: 'mail', port: options.port, ...shared, onClose: smtp.close };
  const simulator = await startSimulator({
    ...parts,
    routes: mailboxPages(mailbox),
    admin: mailboxAdmin(mailbox),
  }).catch(async (error: unknown) => {
    await smtp.close();
    throw error;
  });
  return { ...simulator, smtpUrl: smtp.url };
}
