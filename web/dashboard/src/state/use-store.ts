import { useEffect, useState } from 'preact/hooks';
import type { Store } from './store.ts';

/** The store's value; the component is drawn again when it changes. */
export function useStore<Value>(store: Store<Value>): Value {
  const [, redraw] = useState<unknown>(undefined);
  useEffect(() => {
    // Changed between the drawing and now: nobody would tell any more.
    redraw(store.get());
    return store.subscribe(() => {
      redraw(store.get());
    });
  }, [store]);
  return store.get();
}
