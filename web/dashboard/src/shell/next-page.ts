import { currentPlace, isWithin } from '../routing/location.ts';

const home = '/dashboard';

/** The address of `page` (signing in or registering) with the page that the person wanted. */
export function withNext(page: string): string {
  const { path, search } = currentPlace();
  const wanted = isEntrance(path) ? new URLSearchParams(search).get('next') : path + search;
  return wanted === null || wanted === home ? page : `${page}?next=${encodeURIComponent(wanted)}`;
}

/** The page after signing in: the one that `next` names, if it belongs to the dashboard. */
export function nextPage(): string {
  const wanted = new URLSearchParams(currentPlace().search).get('next');
  if (wanted === null) return home;
  const url = new URL(wanted, location.origin);
  const isOurs = url.origin === location.origin && isWithin(url.pathname) && !isEntrance(url.pathname);
  return isOurs ? url.pathname + url.search : home;
}

export const signInPath = `${home}/sign-in`;
export const registerPath = `${home}/register`;

export const forgottenPath = `${home}/forgotten-password`;
/** Pages of links in mails, followed by `#token=`. */
export const resetPath = `${home}/reset-password`;
export const confirmEmailPath = `${home}/confirm-email`;
export const revokeAccessPath = `${home}/revoke-access`;

/** Pages for people who are signed out; signed-in people are redirected. */
export const isEntrance = (path: string): boolean =>
  path === signInPath || path === registerPath || path === forgottenPath;

/** Pages of links in mails, for signed-in people, too. */
export const isOfLink = (path: string): boolean =>
  path === resetPath || path === confirmEmailPath || path === revokeAccessPath;
