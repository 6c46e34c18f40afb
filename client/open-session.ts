import { createItembridgeClient } from './create-itembridge-client.ts';
import { ItembridgeError } from './itembridge-error.ts';

export interface Credentials {
  readonly baseUrl: string;
  readonly email: string;
  readonly password: string;
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

/** Signs in as the dashboard does, and stays so until it is closed. Throws {@link ItembridgeError} for a wrong password. */
export async function openSession({ email, password, ...connection }: Credentials): Promise<OpenSession> {
  const { api } = createItembridgeClient(connection);
  let current = stateOf(await api.postAuthLogin({ body: { email, password } }));
  let renewal: Promise<void> | undefined;
  const renew = async (): Promise<void> => {
    current = stateOf(await api.postAuthRefresh({ headers: { cookie: current.cookie } }));
  };
  return {
    token: async () => {
      if (Date.now() - current.since > renewAfterMs) await (renewal ??= renew().finally(() => (renewal = undefined)));
      return current.token;
    },
    close: async () => {
      try {
        await api.postAuthLogout({ headers: { cookie: current.cookie } });
      } catch (error) {
        // Signed out already is as good.
        if (!(error instanceof ItembridgeError && error.status === 401)) throw error;
      }
    },
  };
}

interface SignedIn {
  readonly data: { readonly accessToken: string };
  readonly response: Response;
}

const stateOf = ({ data, response }: SignedIn): { token: string; cookie: string; since: number } => ({
  token: data.accessToken,
  cookie: response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0] ?? '')
    .filter((cookie) => cookie.startsWith('refresh_token='))
    .join('; '),
  since: Date.now(),
});
