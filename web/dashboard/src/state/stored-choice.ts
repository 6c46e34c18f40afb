import { createStore, type Store } from './store.ts';

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
