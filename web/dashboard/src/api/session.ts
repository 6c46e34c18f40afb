import { createClient, createConfig } from '../../../../client/generated/client/index.ts';
import { ItembridgeApi } from '../../../../client/generated/sdk.gen.ts';
import { errorFromAnswer, ItembridgeUnreachable } from '../../../../client/itembridge-error.ts';
import type { Language } from '../i18n/languages.ts';
import { useStore } from '../state/use-store.ts';
import { SessionKeeper, type SessionState } from './session-keeper.ts';

type Send = typeof fetch;

/** Every operation of the interface document; `send` adds what a call needs. Throws ItembridgeError, or ItembridgeUnreachable when no answer came. */
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

/** For what needs no access token: signing in, and renewing the session by its cookie. */
const anonymousApi = createApi(async (input, init) => fetch(input, init));

/** After a look that failed. */
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

/** What one tab does, the others hear: `in` or `out`. */
const otherTabs = new BroadcastChannel('itembridge-session');

export const useSession = (): SessionState => useStore(session.state);

/** Takes up the session that this browser has, if any. */
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

export const currentAccessToken = (): string | undefined => session.accessToken;

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

export async function signIn(credentials: Credentials): Promise<void> {
  const { data } = await anonymousApi.login({ body: credentials });
  session.signedIn(data);
  otherTabs.postMessage('in');
}

/** What the pages of forgotten passwords and of mails' links call, signed in or not. */
export const withoutSession = anonymousApi;

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
