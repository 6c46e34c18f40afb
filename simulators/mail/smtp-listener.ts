import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import PostalMime from 'postal-mime';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import type { Call, CallLog } from '../kit/admin-routes.ts';
import type { Clock } from '../kit/clock.ts';
import type { Fault, FaultBook } from '../kit/fault-book.ts';
import type { Mailbox } from './mailbox.ts';

export interface SmtpParts {
  /** 0 or absent: any free port. */
  readonly port?: number | undefined;
  readonly faults: FaultBook;
  readonly calls: CallLog;
  readonly clock: Clock;
  readonly mailbox: Mailbox;
}

/**
 * The SMTP side. Faults and calls name a connection `CONNECT /`, and a mail `MAIL /address of the recipient`; the `status` of a
 * fault is the SMTP answer (451, 550). `garbage` is no answer of this protocol: it ends the connection like `drop-after`.
 */
export async function listenForMail(parts: SmtpParts): Promise<{ url: string; close: () => Promise<void> }> {
  const server = new SMTPServer({
    logger: false,
    disabledCommands: ['AUTH', 'STARTTLS'],
    closeTimeout: 1,
    disableReverseLookup: true,
    onConnect: (session, callback) =>
      step(session, { method: 'CONNECT', path: '/', work: async () => undefined }, callback),
    onData: (stream, session, callback) => {
      const to = session.envelope.rcptTo.map(({ address }) => address.toLowerCase()).join(',');
      buffer(stream).then(
        (raw) => step(session, { method: 'MAIL', path: `/${to}`, work: () => take(parts, { raw, to }) }, callback),
        callback,
      );
    },
  });
  const drop = ({ id }: SMTPServerSession): void => {
    for (const connection of server.connections) if (connection.session.id === id) connection._socket.destroy();
  };
  const step = (session: SMTPServerSession, one: Step, callback: (error?: Error | null) => void): void => {
    played(parts, one, () => drop(session)).then((error) => callback(error), callback);
  };
  // Errors of a broken connection need no action.
  server.on('error', () => undefined);
  const listening = server.listen(parts.port ?? 0, '127.0.0.1');
  await once(listening, 'listening');
  return {
    url: `smtp://127.0.0.1:${(listening.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

interface Step {
  readonly method: 'CONNECT' | 'MAIL';
  readonly path: string;
  readonly work: () => Promise<void>;
}

/** Performs a step, or applies the fault that matches it. Returns the error to answer, if any. */
async function played({ faults, calls, clock }: SmtpParts, step: Step, drop: () => void): Promise<Error | undefined> {
  const { method, path, work } = step;
  const fault = faults.take({ method, path, url: path });
  const at = new Date(clock.now()).toISOString();
  const call: Call = { at, method, path, status: null, fault: fault?.mode ?? null };
  calls.add(call);
  if (fault !== undefined && fault.delayMs > 0) await wait(fault.delayMs, undefined, { ref: false });
  if (fault?.mode === 'status') {
    call.status = fault.status;
    return answerOf(fault);
  }
  if (fault?.mode !== 'drop-before') await work();
  if (fault !== undefined && fault.mode !== 'delay') drop();
  else call.status = 250;
  return undefined;
}

const answerOf = ({ status }: Fault): Error =>
  Object.assign(new Error(`a fault answers ${status}`), { responseCode: status });

async function take({ mailbox, clock }: SmtpParts, { raw, to }: { raw: Buffer; to: string }): Promise<void> {
  const mail = await PostalMime.parse(raw);
  mailbox.add({
    at: new Date(clock.now()).toISOString(),
    from: mail.from?.address ?? '',
    to,
    subject: mail.subject ?? '',
    text: mail.text ?? '',
    headers: Object.fromEntries(mail.headers.map(({ key, value }) => [key, value])),
  });
}
