import { createTransport } from 'nodemailer';
import pTimeout, { TimeoutError } from 'p-timeout';
import { describeNetworkProblem } from '../../platform/network-problem.ts';
import { MailNotSent, type Mailer, type MailProblem } from './port.ts';

export interface SmtpSettings {
  /** `smtp://host:port`, encrypted by STARTTLS where the server offers it, or `smtps://host:port`. */
  readonly url: string;
  /** '' for a server without a sign-in. */
  readonly user: string;
  readonly password: string;
  /** The sender: `itembridge <no-reply@example.se>`. */
  readonly from: string;
  /** For a whole mail, in ms, from the connection to the server's last answer. */
  readonly timeoutMs: number;
}

/**
 * Sends each mail once, over its own connection. Retries are stored in our database; a pool would repeat a lost mail by
 * itself.
 */
export function createSmtpMailer({ url, user, password, from, timeoutMs }: SmtpSettings): Mailer {
  const { protocol, hostname, port } = new URL(url);
  const secure = protocol === 'smtps:';
  const transport = createTransport({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    // A password never travels in plain text.
    ...(user !== '' && { auth: { user, pass: password }, requireTLS: !secure }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    // The texts are ours, but contain names that others chose. A name must never be read as a path or address.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send({ to, subject, text, messageId }) {
      // An address as an object is not parsed, so it can't become several recipients.
      const recipient = { name: '', address: to };
      const mail = { from, to: recipient, subject, text, messageId: `<${messageId}>`, headers: automatic };
      try {
        await pTimeout(transport.sendMail(mail), { milliseconds: timeoutMs });
      } catch (error) {
        throw notSent(error);
      }
    },
  };
}

/** Prevents automatic replies (out of office). */
const automatic = { 'Auto-Submitted': 'auto-generated' } as const;

function notSent(error: unknown): MailNotSent {
  const problem = problemOf(error);
  const reply = replyOf(error);
  return new MailNotSent(problem, reply === undefined ? sentences[problem] : `${sentences[problem]} (${reply})`);
}

const sentences: Readonly<Record<MailProblem, string>> = {
  timeout: 'the mail server did not answer in time',
  unreachable: 'the mail server could not be reached, or the connection broke',
  postponed: 'the mail server asks to try again later',
  refused: 'the mail server refuses this mail',
  misconfigured: 'the mail server refuses our sign-in or encryption, or its certificate is not trusted',
};

function problemOf(error: unknown): MailProblem {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (error instanceof TimeoutError || code === 'ETIMEDOUT') return 'timeout';
  if (isUntrusted(error)) return 'misconfigured';
  const reply = replyOf(error) ?? 0;
  if (reply >= 400 && reply < 500) return 'postponed';
  if (code === 'EAUTH' || code === 'ENOAUTH' || code === 'ETLS' || reply === 530) return 'misconfigured';
  return reply >= 500 ? 'refused' : 'unreachable';
}

/** The library keeps the code of the connection's own error beside its own code. */
const isUntrusted = (error: unknown): boolean =>
  error instanceof Error &&
  'originalCode' in error &&
  describeNetworkProblem(Object.assign(new Error(), { code: error.originalCode })).kind === 'untrusted';

/** The number of the server's answer, such as 550. */
const replyOf = (error: unknown): number | undefined =>
  error instanceof Error && 'responseCode' in error && typeof error.responseCode === 'number'
    ? error.responseCode
    : undefined;
