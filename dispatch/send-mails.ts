import type { StoreConnection } from '../store/database/connection.ts';
import { claimMail, type MailRow } from '../store/mail/mails.ts';
import type { Logger } from '../platform/logger.ts';
import { Turns, turnFailed } from './turns.ts';

interface MailTurns {
  readonly store: StoreConnection;
  readonly send: (row: MailRow) => Promise<void>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly now: () => Date;
}

/** Sends due mails one after the other for each account, several accounts at once, so one with many mails holds up no other. */
export function createMailTurns({ store, send, logger, now }: MailTurns): Turns {
  return new Turns({
    ...{ atOnce: 4, together: 1, onFailure: turnFailed(logger, 'send-mails') },
    work: async ([queue = '']) => {
      const row = await claimMail(store, queue, now());
      if (row === null) return [];
      await send(row);
      return [queue];
    },
  });
}
