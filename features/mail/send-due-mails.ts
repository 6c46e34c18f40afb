import type { Logger } from '../../platform/logger.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { claimMail, listMailQueues, type MailRow } from './store/mails.ts';

export interface DueMailDependencies {
  readonly store: StoreConnection;
  readonly send: (row: MailRow) => Promise<void>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly now: () => Date;
}

/** Mails that one process sends at once, each of another account. */
const atOnce = 4;

/** Sends due mails, one after the other for each account, several accounts at once, so one with many mails holds up no other. */
export class DueMails {
  readonly #dependencies: DueMailDependencies;
  readonly #ready = new Set<string>();
  readonly #lanes = new Set<Promise<void>>();
  #isClosed = false;

  constructor(dependencies: DueMailDependencies) {
    this.#dependencies = dependencies;
  }

  /** Begins to send what is due. Does not wait for mail servers. */
  async begin(): Promise<void> {
    const { store, now } = this.#dependencies;
    for (const queue of await listMailQueues(store, now())) this.#ready.add(queue);
    while (this.#lanes.size < atOnce && this.#ready.size > 0 && !this.#isClosed) {
      const lane = this.#sendAll().finally(() => this.#lanes.delete(lane));
      this.#lanes.add(lane);
    }
  }

  /** Sends nothing further, and resolves when what is under way has ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#lanes);
  }

  async #sendAll(): Promise<void> {
    for (const queue of this.#ready) {
      if (this.#isClosed) return;
      this.#ready.delete(queue);
      const isMore = await this.#sendOne(queue).catch((error: unknown) => {
        this.#dependencies.logger.warn({ err: error }, 'mail.not_sent');
        return false;
      });
      if (isMore) this.#ready.add(queue);
    }
  }

  async #sendOne(queue: string): Promise<boolean> {
    const { store, send, now } = this.#dependencies;
    const row = await claimMail(store, queue, now());
    if (row === null) return false;
    await send(row);
    return true;
  }
}
