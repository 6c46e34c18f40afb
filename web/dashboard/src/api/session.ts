import { createClient, createConfig } from '../../../../client/generated/client/index.ts';
import { ItembridgeApi } from '../../../../client/generated/sdk.gen.ts';
import { errorFromAnswer, ItembridgeUnreachable } from '../../../../client/itembridge-error.ts';
import type { Language } from '../i18n/languages.ts';
import { useStore } from '../state/use-store.ts';
import { SessionKeeper, type SessionState } from './session-keeper.ts';

type Send = typeof fetch;

/**
 * Every operation of the interface document; `send` adds credentials. Throws ItembridgeError, or ItembridgeUnreachable
 * without an answer.
 */
export function createApi(send: Send): ItembridgeApi {
  const client = createClient(createConfig({ baseUrl: location.origin, throwOnError: true, fetch: send }));
  client.interceptors.error.use((error, response: Response | undefined) => {
    if (response !== undefined) return errorFromAnswer(response, error);
    if (error instanceof DOMException && error.name === 'AbortError') return error;
    return new ItembridgeUnreachable('The service can’t be reached', { cause: error });
  });
  return new ItembridgeApi({ client });
}

export type { SignedInAccount } from './session-keeper.ts';

/** For calls without an access token: signing in, and renewing the session by its cookie. */
const anonymousApi = createApi(async (input, init) => fetch(input, init));

/** Pause after a failed request. */
const lookAgainMs = 10_000;

const session = new SessionKeeper({
  renewal: async () => (await anonymousApi.refreshSession()).data,
  startAnew: () => {
    location.reload();
  },
  later: (look) => {
    setTimeout(look, lookAgainMs);
  },
});

/** Tells other tabs of this browser about signing in (`in`) and out (`out`). */
const otherTabs = new BroadcastChannel('itembridge-session');

/** The session of this tab; components are drawn again when it changes. */
export const useSession = (): SessionState => useStore(session.state);

/** Continues the session of this browser, if there is one. */
export function startSession(): void {
  otherTabs.onmessage = ({ data }) => {
    if (data === 'out') session.signedOut();
    else takeUp();
  };
  takeUp();
}

function takeUp(): void {
  session.takeUp().catch(() => undefined);
}

/** As {@link SessionKeeper.refresh}. */
export const refreshSession = async (): Promise<void> => session.refresh();

/** undefined while no account is signed in. */
export const currentAccessToken = (): string | undefined => session.accessToken;

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** Signs in. Rejects as the call does. */
export async function signIn(credentials: Credentials): Promise<void> {
  const { data } = await anonymousApi.login({ body: credentials });
  session.signedIn(data);
  otherTabs.postMessage('in');
}

/** For the pages of forgotten passwords and of links in mails, which need no session. */
export const withoutSession = anonymousApi;

/** Creates an account and signs in. Rejects as the call does. */
export async function register(
  registration: Credentials & { readonly name: string; readonly language: Language },
): Promise<void> {
  const { data } = await anonymousApi.registerAccount({ body: registration });
  session.signedIn(data);
  otherTabs.postMessage('in');
}

/** Ends the session in all tabs of this browser. */
export async function signOut(): Promise<void> {
  await anonymousApi.logout();
  session.signedOut();
  otherTabs.postMessage('out');
}
