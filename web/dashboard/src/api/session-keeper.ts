import { ItembridgeError } from '../../../../client/itembridge-error.ts';
import { createStore, type Store } from '../state/store.ts';

/** The signed-in account. */
export interface SignedInAccount {
  readonly id: string;
  readonly email: string;
  readonly name: string;
}

export type SessionState =
  /** The page was just opened. */
  | { readonly status: 'opening' }
  | { readonly status: 'signed-out' }
  | { readonly status: 'signed-in'; readonly account: SignedInAccount }
  /** Unknown, because the service did not answer when the page was opened. */
  | { readonly status: 'unreachable'; readonly error: unknown };

export interface Session {
  readonly accessToken: string;
  readonly account: SignedInAccount;
}

interface SessionOptions {
  /** Opens a session by the refresh cookie; rejects with an ItembridgeError 401 when there is none. */
  readonly renewal: () => Promise<Session>;
  /** Another account signed in, perhaps in another tab, so the data in memory must be dropped. */
  readonly startAnew: () => void;
  /** Calls `look` once, after a pause. */
  readonly later: (look: () => void) => void;
}

/** The session of this tab: its account, its access token, and when the token is renewed. */
export class SessionKeeper {
  readonly state: Store<SessionState> = createStore<SessionState>({ status: 'opening' });
  readonly #options: SessionOptions;
  /** Kept in memory alone. A new page gets its token by the refresh cookie, which no script can read. */
  #accessToken: string | undefined;
  #refreshing: Promise<void> | undefined;
  /** The account whose data this page may hold in memory. */
  #accountId: string | undefined;
  /** Raised by signing in and out, so that answers to earlier questions are ignored. */
  #generation = 0;
  #isLookDue = false;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  get accessToken(): string | undefined {
    return this.#accessToken;
  }

  /**
   * Renews the access token; simultaneous callers wait for the same renewal. Rejects without a session (the state is
   * then `signed-out`), and when the service is unreachable.
   */
  async refresh(): Promise<void> {
    this.#refreshing ??= this.#renew().finally(() => (this.#refreshing = undefined));
    return this.#refreshing;
  }

  /**
   * Finds out who is signed in. Never rejects. When the service does not answer, a page that was just opened says so;
   * any other stays as it is and asks again later.
   */
  async takeUp(): Promise<void> {
    try {
      await this.refresh();
    } catch (error) {
      const { status } = this.state.get();
      if (status === 'opening' || status === 'unreachable') this.state.set({ status: 'unreachable', error });
      else if (!isOver(error)) this.#lookLater();
    }
  }

  /** An account signed in, in this tab. */
  signedIn(opened: Session): void {
    this.#generation += 1;
    this.#open(opened);
  }

  /** The session has ended, in this tab or another one. */
  signedOut(): void {
    this.#generation += 1;
    this.#accessToken = undefined;
    this.state.set({ status: 'signed-out' });
  }

  async #renew(): Promise<void> {
    const asked = this.#generation;
    try {
      const opened = await this.#options.renewal();
      if (asked === this.#generation) this.#open(opened);
    } catch (error) {
      if (asked === this.#generation && isOver(error)) this.signedOut();
      throw error;
    }
  }

  #open({ account, accessToken }: Session): void {
    if (this.#accountId !== undefined && this.#accountId !== account.id) {
      this.#options.startAnew();
      return;
    }
    this.#accountId = account.id;
    this.#accessToken = accessToken;
    if (this.state.get().status !== 'signed-in') this.state.set({ status: 'signed-in', account });
  }

  #lookLater(): void {
    if (this.#isLookDue) return;
    this.#isLookDue = true;
    this.#options.later(() => {
      this.#isLookDue = false;
      this.takeUp().catch(() => undefined);
    });
  }
}

const isOver = (error: unknown): boolean => error instanceof ItembridgeError && error.status === 401;
