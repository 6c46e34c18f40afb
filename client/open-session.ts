import { createItembridgeClient } from './create-itembridge-client.ts';
import { ItembridgeError, ItembridgeUnreachable } from './itembridge-error.ts';

export interface Credentials {
  readonly baseUrl: string;
  readonly email: string;
  readonly password: string;
  readonly application?: string | undefined;
  readonly fetch?: typeof fetch | undefined;
}

export interface OpenSession {
  /** A token that is good for some minutes still: give this function as the client's `session`. */
  readonly token: () => Promise<string>;
  /** Signs out. */
  close(): Promise<void>;
}

/** Access tokens are good for 15 minutes: a new one is taken when the one at hand is this old. */
const renewAfterMs = 10 * 60_000;

/** Signs in as the dashboard does, and stays so until it is closed: also anew, when the service ended the session. Throws {@link ItembridgeError} for a wrong password. */
export async function openSession({ email, password, ...connection }: Credentials): Promise<OpenSession> {
  const { api } = createItembridgeClient(connection);
  const signIn = async (): Promise<SessionState> => stateOf(await api.login({ body: { email, password } }));
  let current = await signIn();
  let renewal: Promise<void> | undefined;
  const renew = async (): Promise<void> => {
    try {
      current = stateOf(await api.refreshSession({ headers: { cookie: current.cookie } }));
    } catch (error) {
      // A refresh token works once: when its answer was lost, there is no other.
      if (!(error instanceof ItembridgeUnreachable) && !isSignedOut(error)) throw error;
      current = await signIn();
    }
  };
  return {
    token: async () => {
      if (Date.now() - current.since > renewAfterMs) await (renewal ??= renew().finally(() => (renewal = undefined)));
      return current.token;
    },
    close: async () => {
      try {
        await api.logout({ headers: { cookie: current.cookie } });
      } catch (error) {
        // Signed out already is as good.
        if (!isSignedOut(error)) throw error;
      }
    },
  };
}

const isSignedOut = (error: unknown): boolean => error instanceof ItembridgeError && error.status === 401;

interface SessionState {
  readonly token: string;
  readonly cookie: string;
  readonly since: number;
}

interface SignedIn {
  readonly data: { readonly accessToken: string };
  readonly response: Response;
}

const stateOf = ({ data, response }: SignedIn): SessionState => ({
  token: data.accessToken,
  cookie: response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0] ?? '')
    .filter((cookie) => /^(?:__Host-)?refresh_token=/.test(cookie))
    .join('; '),
  since: Date.now(),
});
