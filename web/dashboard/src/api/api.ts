import { createApi } from './create-api.ts';
import { currentAccessToken, refreshSession } from './session.ts';

/**
 * Every operation of the interface document by its name, as the signed-in account:
 * `const { data } = await api.listOrders({ query: { limit: 50 }, signal })`.
 * A token that ran out is renewed and the call made again; when the session is over, the page turns to signing in.
 */
export const api = createApi(async (input, init) => {
  const request = new Request(input, init);
  const first = request.clone();
  if (currentAccessToken() === undefined) await refreshSession();
  const used = currentAccessToken();
  const response = await fetch(withToken(first, used));
  if (response.status !== 401) return response;
  // Renewed meanwhile by another call: then this one goes again at once.
  if (currentAccessToken() === used) await refreshSession();
  return fetch(withToken(request, currentAccessToken()));
});

function withToken(request: Request, token: string | undefined): Request {
  if (token !== undefined) request.headers.set('authorization', `Bearer ${token}`);
  return request;
}
