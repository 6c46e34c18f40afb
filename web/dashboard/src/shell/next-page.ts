import { currentPlace, isWithin } from '../routing/location.ts';

const home = '/dashboard';

/** The address of `page` (signing in or registering) that remembers where the person wanted to go. */
export function withNext(page: string): string {
  const { path, search } = currentPlace();
  const wanted = isEntrance(path) ? new URLSearchParams(search).get('next') : path + search;
  return wanted === null || wanted === home ? page : `${page}?next=${encodeURIComponent(wanted)}`;
}

/** Where to go after signing in: what `next` names, if that is a page of the dashboard. */
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
/** Pages that a link in a mail leads to: `#token=` follows. */
export const resetPath = `${home}/reset-password`;
export const confirmEmailPath = `${home}/confirm-email`;

/** Pages for those who are signed out; who is signed in is sent on from there. */
export const isEntrance = (path: string): boolean =>
  path === signInPath || path === registerPath || path === forgottenPath;

/** Pages of a mail's link, for those who are signed in, too. */
export const isOfLink = (path: string): boolean => path === resetPath || path === confirmEmailPath;
