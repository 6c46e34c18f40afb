import type { OwnAccount } from '../../../../client/generated/types.gen.ts';
import { createStore } from '../state/store.ts';
import { useStore } from '../state/use-store.ts';
import { useEffect } from 'preact/hooks';
import { api } from './api.ts';

/** What pages need to know of the signed-in account to decide what they offer. */
export type Me = OwnAccount;

const me = createStore<Me | undefined>(undefined);
const isAnswered = createStore(false);
let isAsked = false;
/** Raised by each request; only the answer to the newest one counts. */
let look = 0;

/** Whether the service has answered, or could not; a page that is drawn before may move when it does. */
export const useMeAnswered = (): boolean => useStore(isAnswered);

/** undefined until the service has answered; then the same until {@link reloadMe}. */
export function useMe(): Me | undefined {
  useEffect(() => {
    if (!isAsked) reloadMe();
  }, []);
  return useStore(me);
}

/**
 * Loads it again after a change, such as leaving a reseller. Until the answer comes, and when it fails, the old one
 * stays.
 */
export function reloadMe(): void {
  isAsked = true;
  look += 1;
  const mine = look;
  api
    .getOwnAccount()
    .then(
      ({ data }) => {
        if (mine === look) me.set(data);
      },
      () => {
        // The next page that needs it loads it again.
        if (mine === look) isAsked = false;
      },
    )
    .finally(() => {
      isAnswered.set(true);
    });
}
