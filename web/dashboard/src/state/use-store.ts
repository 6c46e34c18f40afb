import { useEffect, useState } from 'preact/hooks';
import { createStore, type Store } from './store.ts';

/** The store's value; the component is drawn again when it changes. */
export function useStore<Value>(store: Store<Value>): Value {
  const [, redraw] = useState<unknown>(undefined);
  useEffect(() => {
    // A change between drawing and subscribing would otherwise be missed.
    redraw(store.get());
    return store.subscribe(() => {
      redraw(store.get());
    });
  }, [store]);
  return store.get();
}

interface StoredChoiceOptions<Choice extends string> {
  readonly key: string;
  readonly choices: readonly Choice[];
  readonly otherwise: Choice;
}

/** A choice that this browser remembers, about appearance and never a secret. */
export function createStoredChoice<Choice extends string>(options: StoredChoiceOptions<Choice>): Store<Choice> {
  const { key, choices, otherwise } = options;
  const store = createStore(read(key, choices) ?? otherwise);
  store.subscribe(() => {
    write(key, store.get());
  });
  return store;
}

function read<Choice extends string>(key: string, choices: readonly Choice[]): Choice | undefined {
  try {
    const found = localStorage.getItem(key);
    return choices.find((choice) => choice === found);
  } catch {
    // The page has no storage, so the choice lasts as long as the page.
    return undefined;
  }
}

function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // As above.
  }
}
