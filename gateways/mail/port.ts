/** A mail of text only: one recipient, no attachment. */
export interface OutgoingMail {
  /** Address of the recipient, without a name. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same for each attempt to send one mail, so that a mailbox can drop a second copy. Without angle brackets. */
  readonly messageId: string;
}

export interface Mailer {
  /**
   * Resolves when the mail server has accepted the mail. Throws {@link MailNotSent} and nothing else. A mail whose
   * answer was lost may have been accepted.
   */
  send(mail: OutgoingMail): Promise<void>;
}

/**
 * - `timeout`: no complete answer in time. - `unreachable`: no connection, or a broken one. - `postponed`: the server
 * asks for a retry later (4xx). - `refused`: the server will never accept this mail (5xx). - `misconfigured`: the
 * server refuses our sign-in or the encryption, or its certificate is not trusted; the operator must correct that.
 */
export type MailProblem = 'timeout' | 'unreachable' | 'postponed' | 'refused' | 'misconfigured';

/** The mail was not accepted. The message is safe to log: it holds neither an address nor the server's own words. */
export class MailNotSent extends Error {
  override readonly name = 'MailNotSent';
  readonly problem: MailProblem;

  constructor(problem: MailProblem, message: string) {
    super(message);
    this.problem = problem;
  }
}
