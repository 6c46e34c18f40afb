import { Type } from 'typebox';
import { Agent, request } from 'undici';
import { readBounded } from '../../platform/read-bounded.ts';
import { requireSafeUrl, type MarketplaceAccess } from './marketplace-http.ts';
import { LoginRefused, type MarketplaceLogin } from './port.ts';
import { maybeText, reader, timeOf, UnreadableAnswer } from './wire-kit.ts';
import { headerNames, paths } from './wire.ts';

const answerBytesMax = 64 * 1024;

export interface MarketplaceLoginOptions {
  readonly access: MarketplaceAccess;
  /** The application's public key, a third credential beside its id and key. */
  readonly publicKey: string;
  readonly requestTimeoutMs: number;
}

/**
 * The login of a seller at the marketplace: a person consents on its page under a one-time secret of ours, and with that secret the token
 * is fetched.
 */
export function createMarketplaceLogin({
  access,
  publicKey,
  requestTimeoutMs,
}: MarketplaceLoginOptions): MarketplaceLogin {
  requireSafeUrl(access.url);
  const timeouts = { headersTimeout: requestTimeoutMs, bodyTimeout: requestTimeoutMs };
  const agent = new Agent({ ...timeouts, connect: { timeout: requestTimeoutMs } });
  return {
    pageUrl: (secretKey, returned) => {
      const ruparams = new URLSearchParams(returned).toString();
      const back = ruparams === '' ? {} : { ruparams };
      const query = { appId: access.appId, pkey: publicKey, skey: secretKey, ...back };
      return `${access.url}/token-login?${new URLSearchParams(query).toString()}`;
    },
    fetchToken: async (marketplaceUserId, secretKey) => {
      const sent = request(access.url + paths.token, {
        method: 'POST',
        dispatcher: agent,
        headers: {
          accept: 'application/json',
          'content-type': 'application/json',
          [headerNames.appId]: access.appId,
          [headerNames.appKey]: access.appKey,
        },
        body: JSON.stringify({ userId: Number(marketplaceUserId), secretKey }),
      });
      return tokenIn(await textOf(sent));
    },
    close: () => agent.close(),
  };
}

/** Throws {@link LoginRefused}. The answer is not quoted, because it may hold a token. */
async function textOf(sent: ReturnType<typeof request>): Promise<string> {
  try {
    const { statusCode, body } = await sent;
    const { bytes, truncated } = await readBounded(body, answerBytesMax);
    if (statusCode !== 200 || truncated)
      throw new LoginRefused(`the marketplace answered HTTP ${statusCode}`, { isUnknownUser: statusCode < 500 });
    return bytes.toString('utf8');
  } catch (error) {
    if (error instanceof LoginRefused) throw error;
    throw new LoginRefused('the marketplace is out of reach', { isUnknownUser: false, cause: error });
  }
}

const tokenAnswer = reader(Type.Object({ authToken: Type.String({ minLength: 1 }), hardExpirationTime: maybeText }));

function tokenIn(answer: string): { readonly token: string; readonly expiresAt: Date | null } {
  try {
    const { authToken, hardExpirationTime } = tokenAnswer(JSON.parse(answer));
    return { token: authToken, expiresAt: timeOf(hardExpirationTime) };
  } catch (error) {
    if (!(error instanceof UnreadableAnswer || error instanceof SyntaxError)) throw error;
    throw new LoginRefused("the marketplace's answer has no token", { isUnknownUser: false, cause: error });
  }
}
