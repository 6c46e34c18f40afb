import { useState } from 'preact/hooks';

/**
 * The token of a mail's link. It is removed from the address at once, so that neither the history nor a screenshot
 * contains it.
 */
export function useLinkToken(): string {
  const [token] = useState(() => new URLSearchParams(location.hash.slice(1)).get('token') ?? '');
  if (location.hash !== '') history.replaceState(history.state, '', location.pathname + location.search);
  return token;
}
