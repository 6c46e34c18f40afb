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
  /** Returns a token that is valid for some minutes. Pass this function as the client's `session`. */
  readonly token: () => Promise<string>;
  /** Signs out. */
  close(): Promise<void>;
}

/** Access tokens are valid for 15 minutes; a token of this age is replaced. */
const renewAfterMs = 10 * 60_000;

/**
 * Signs in like the dashboard, and stays signed in until it is closed. When the service has ended the session, it signs
 * in again. Throws {@link ItembridgeError} for a wrong password.
 */
export async function openSession(
  { email, password, ...connection }: Credentials,
  now: () => number = Date.now,
): Promise<OpenSession> {
  const { api } = createItembridgeClient(connection);
  const signIn = async (): Promise<SessionState> => stateOf(await api.login({ body: { email, password } }), now());
  let current = await signIn();
  let renewal: Promise<void> | undefined;
  const renew = async (): Promise<void> => {
    try {
      current = stateOf(await api.refreshSession({ headers: { cookie: current.cookie } }), now());
    } catch (error) {
      // A refresh token works once. After a lost answer there is no other, so it signs in again.
      if (!(error instanceof ItembridgeUnreachable) && !isSignedOut(error)) throw error;
      current = await signIn();
    }
  };
  return {
    token: async () => {
      if (now() - current.since > renewAfterMs) await (renewal ??= renew().finally(() => (renewal = undefined)));
      return current.token;
    },
    close: async () => {
      try {
        await api.logout({ headers: { cookie: current.cookie } });
      } catch (error) {
        // A session that has ended already needs no sign-out.
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

const stateOf = ({ data, response }: SignedIn, since: number): SessionState => ({
  token: data.accessToken,
  cookie: response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0] ?? '')
    .filter((cookie) => /^(?:__Host-)?refresh_token=/.test(cookie))
    .join('; '),
  since,
});
