import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { keepScroll, noteReturn } from './kept-place.ts';
import { createStore } from '../state/store.ts';
import { useStore } from '../state/use-store.ts';

export interface Place {
  /** Percent-encoded, without a slash at its end. */
  readonly path: string;
  /** With its question mark; empty without parameters. */
  readonly search: string;
}

interface NavigateOptions {
  /** Replaces the present entry of the history, so that going back skips it. */
  readonly isReplacement?: boolean;
}

const place = createStore<Place>(read());

/** The address of the drawn page. It stays while the code of the next page is being loaded. */
export const DrawnPlace = createContext<Place | undefined>(undefined);

/** Pages below this path are drawn here; other links leave the dashboard. */
let base = '/';

/** Makes links within the dashboard, and the browser's back and forward, change the page without a reload. */
export function startRouting(basePath: string): void {
  base = basePath;
  addEventListener('popstate', () => {
    noteReturn();
    place.set(read());
  });
  addEventListener('click', followLink);
}

/** The present address; components are drawn again when it changes. */
export const usePlace = (): Place => useStore(place);

/** Within a page: the address of that page. */
export function useDrawnPlace(): Place {
  const present = usePlace();
  return useContext(DrawnPlace) ?? present;
}

export const currentPlace = (): Place => place.get();

/** Goes to an address within the dashboard. */
export function navigate(url: string, { isReplacement = false }: NavigateOptions = {}): void {
  if (!isReplacement) keepScroll();
  if (isReplacement) history.replaceState(null, '', url);
  else history.pushState(null, '', url);
  const isNewPage = place.get().path !== read().path;
  place.set(read());
  if (isNewPage) scrollTo(0, 0);
}

/** Whether the path belongs to the dashboard. */
export const isWithin = (path: string): boolean => path === base || path.startsWith(`${base}/`);

function read(): Place {
  const { pathname, search } = location;
  return { path: pathname.replace(/\/+$/, '') || '/', search };
}

/** New windows and downloads are left to the browser. */
function followLink(event: MouseEvent): void {
  const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
  if (!isPlain || event.defaultPrevented || !(link instanceof HTMLAnchorElement)) return;
  const { href, origin, pathname, hash, target, download } = link;
  if (origin !== location.origin || !isWithin(pathname) || hash !== '' || target !== '' || download !== '') return;
  event.preventDefault();
  navigate(href);
}
