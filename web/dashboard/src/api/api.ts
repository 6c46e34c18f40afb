import { ItembridgeError } from '../../../../client/itembridge-error.ts';
import { createApi, currentAccessToken, refreshSession } from './session.ts';

/**
 * Every operation of the interface document by its name, as the signed-in account: `const { data } = await
 * api.listOrders({ query: { limit: 50 }, signal })`. An expired access token is renewed and the call repeated. When the
 * session is over, the sign-in page is shown.
 */
export const api = createApi(async (input, init) => {
  const request = new Request(input, init);
  const first = request.clone();
  if (currentAccessToken() === undefined) await refreshSession();
  const used = currentAccessToken();
  const response = await fetch(withToken(first, used));
  if (response.status !== 401) return response;
  // Another call has renewed the token meanwhile, so this call is repeated at once.
  if (currentAccessToken() === used) await refreshSession();
  return fetch(withToken(request, currentAccessToken()));
});

function withToken(request: Request, token: string | undefined): Request {
  if (token !== undefined) request.headers.set('authorization', `Bearer ${token}`);
  return request;
}

/** For things that an account may lack, such as a connection: null when the service answers 404. */
export async function nullWhenMissing<Result>(asked: Promise<Result>): Promise<Result | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ItembridgeError && error.status === 404) return null;
    throw error;
  }
}
