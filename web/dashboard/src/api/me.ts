import type { OwnAccount } from '../../../../client/generated/types.gen.ts';
import { createStore } from '../state/store.ts';
import { useStore } from '../state/use-store.ts';
import { useEffect } from 'preact/hooks';
import { api } from './api.ts';

/** What a page needs to know of the signed-in account to choose what it offers. */
export type Me = OwnAccount;

const me = createStore<Me | undefined>(undefined);
let isAsked = false;
/** Raised by each look: only what the last one says counts. */
let look = 0;

/** undefined until the service has answered; the same answer until {@link reloadMe}. */
export function useMe(): Me | undefined {
  useEffect(() => {
    if (!isAsked) reloadMe();
  }, []);
  return useStore(me);
}

/** After a change of what it says, such as leaving a reseller. Until the answer is there, and if none comes, the old one stands. */
export function reloadMe(): void {
  isAsked = true;
  look += 1;
  const mine = look;
  api.getOwnAccount().then(
    ({ data }) => {
      if (mine === look) me.set(data);
    },
    () => {
      // The next page that needs it asks again.
      if (mine === look) isAsked = false;
    },
  );
}
