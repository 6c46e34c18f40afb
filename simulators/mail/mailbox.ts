/** A mail as it was taken over. */
export interface TakenMail {
  readonly id: string;
  readonly at: string;
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

const keptMax = 1_000;

/** What the server has taken over, oldest first; the newest 1,000 are kept until it stops. */
export class Mailbox {
  #mails: TakenMail[] = [];
  #count = 0;

  add(mail: Omit<TakenMail, 'id'>): void {
    this.#count += 1;
    this.#mails = [...this.#mails.slice(1 - keptMax), { id: String(this.#count), ...mail }];
  }

  /** Those to one address, or all. */
  list(to?: string): readonly TakenMail[] {
    return to === undefined ? this.#mails : this.#mails.filter((mail) => mail.to === to.toLowerCase());
  }

  find(id: string): TakenMail | undefined {
    return this.#mails.find((mail) => mail.id === id);
  }

  clear(): void {
    this.#mails = [];
  }
}
