/** A mail of text only: one recipient, no attachment. */
export interface OutgoingMail {
  /** Address of the recipient, without a name. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same for each attempt of one mail, so that a mailbox may drop a second copy. Without angle brackets. */
  readonly messageId: string;
}

export interface Mailer {
  /**
   * Resolves when the mail server has taken the mail over. Throws {@link MailNotSent} and nothing else. A mail whose answer got
   * lost may have been taken over.
   */
  send(mail: OutgoingMail): Promise<void>;
}

/**
 * - `timeout`: no complete answer in time. - `unreachable`: no connection, or a broken one.
 * - `postponed`: the server asks to try again later (4xx). - `refused`: it will never take this mail (5xx).
 * - `misconfigured`: it refuses our sign-in or the encryption; to be corrected by the operator.
 */
export type MailProblem = 'timeout' | 'unreachable' | 'postponed' | 'refused' | 'misconfigured';

/** The mail was not taken over. The message is safe to log: it holds neither an address nor what the server said. */
export class MailNotSent extends Error {
  override readonly name = 'MailNotSent';
  readonly problem: MailProblem;

  constructor(problem: MailProblem, message: string) {
    super(message);
    this.problem = problem;
  }
}
