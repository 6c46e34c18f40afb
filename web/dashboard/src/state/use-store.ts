import { useEffect, useState } from 'preact/hooks';
import { createStore, type Store } from './store.ts';

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

interface StoredChoiceOptions<Choice extends string> {
  readonly key: string;
  readonly choices: readonly Choice[];
  readonly otherwise: Choice;
}

/** A choice that this browser remembers: of how things look, never a secret. */
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
    // Storage is closed to this page: the choice lasts as long as the page.
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
