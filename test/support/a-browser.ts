import type { ApiWorld, CallOptions, Reply } from './api-world.ts';

export interface SentCookie {
  readonly value: string;
  /** Lower-case name → value, '' for flags. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** Every `Set-Cookie` of an answer by the cookie's name. */
export function cookiesOf({ headers }: Pick<Reply, 'headers'>): Record<string, SentCookie> {
  const cookies = headers.getSetCookie().map((line) => {
    const [pair = '', ...attributes] = line.split('; ');
    const split = (text: string) => [text.split('=')[0] ?? '', text.slice(text.indexOf('=') + 1 || text.length)];
    const [name = '', value = ''] = split(pair);
    const named = attributes.map(split).map(([key = '', content = '']) => [key.toLowerCase(), content] as const);
    return [name, { value, attributes: Object.fromEntries(named) }] as const;
  });
  return Object.fromEntries(cookies);
}

/** The refresh token that an answer gives; '' when it gives none. */
export const refreshTokenOf = (reply: Pick<Reply, 'headers'>): string => cookiesOf(reply)['refresh_token']?.value ?? '';

export interface TestSession {
  readonly refreshToken: string;
  readonly token: string;
  readonly device: string;
}

/** Signs in as a browser would. */
export async function signIn(
  world: Pick<ApiWorld, 'call'>,
  { email, password }: { readonly email: string; readonly password: string },
  options: Pick<CallOptions, 'headers'> = {},
): Promise<TestSession> {
  const reply = await world.call('POST', '/auth/login', { body: { email, password }, ...options });
  if (reply.status !== 200) throw new Error(`login: ${String(reply.status)} ${reply.text}`);
  const device = cookiesOf(reply)['device']?.value ?? '';
  return { refreshToken: refreshTokenOf(reply), token: reply.body.accessToken, device };
}

export const refresh = (
  world: Pick<ApiWorld, 'call'>,
  refreshToken: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> =>
  world.call('POST', '/auth/refresh', { headers: { cookie: `refresh_token=${refreshToken}`, ...headers } });

export const logOut = (
  world: Pick<ApiWorld, 'call'>,
  refreshToken: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> =>
  world.call('POST', '/auth/logout', { headers: { cookie: `refresh_token=${refreshToken}`, ...headers } });
