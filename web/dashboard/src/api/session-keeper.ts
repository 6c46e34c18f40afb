import { ItembridgeError } from '../../../../client/itembridge-error.ts';
import { createStore, type Store } from '../state/store.ts';

/** Who is signed in. */
export interface SignedInAccount {
  readonly id: string;
  readonly email: string;
  readonly name: string;
}

export type SessionState =
  /** The page has just been opened. */
  | { readonly status: 'opening' }
  | { readonly status: 'signed-out' }
  | { readonly status: 'signed-in'; readonly account: SignedInAccount }
  /** Nobody knows: the service did not answer the page that was just opened. */
  | { readonly status: 'unreachable'; readonly error: unknown };

export interface Session {
  readonly accessToken: string;
  readonly account: SignedInAccount;
}

interface SessionOptions {
  /** A new session by the refresh cookie; rejects with an ItembridgeError 401 when there is none any more. */
  readonly renewal: () => Promise<Session>;
  /** Somebody else signed in, perhaps in another tab: nothing that this page has in memory is theirs. */
  readonly startAnew: () => void;
  /** Calls `look` once, after a while. */
  readonly later: (look: () => void) => void;
}

/** The session of this tab: who it is of, its access token, and when that is renewed. */
export class SessionKeeper {
  readonly state: Store<SessionState> = createStore<SessionState>({ status: 'opening' });
  readonly #options: SessionOptions;
  /** Never anywhere but here: a page that is closed or loaded anew gets another one with the refresh cookie, which no script can read. */
  #accessToken: string | undefined;
  #refreshing: Promise<void> | undefined;
  /** Whose data this page may have in memory. */
  #accountId: string | undefined;
  /** Raised by signing in and out: an answer to what was asked before says nothing any more. */
  #generation = 0;
  #isLookDue = false;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  get accessToken(): string | undefined {
    return this.#accessToken;
  }

  /**
   * A new access token; all who ask meanwhile wait for the same one. Rejects when there is no session any more (the state is
   * `signed-out` then), and when the service can't be reached.
   */
  async refresh(): Promise<void> {
    this.#refreshing ??= this.#renew().finally(() => (this.#refreshing = undefined));
    return this.#refreshing;
  }

  /**
   * Looks who is signed in now. Never rejects: a page that was just opened says that the service does not answer; any other stays as it
   * is, and looks again later.
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

  /** Somebody signed in, in this tab. */
  signedIn(opened: Session): void {
    this.#generation += 1;
    this.#open(opened);
  }

  /** The session has ended, wherever. */
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
