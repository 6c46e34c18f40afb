/** A value that several components show and any code may change. */
export interface Store<Value> {
  get(): Value;
  set(next: Value): void;
  /** Calls back after each change; returns a function that stops it. */
  subscribe(listener: () => void): () => void;
}

/** A store with this initial value. */
export function createStore<Value>(initial: Value): Store<Value> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set: (next) => {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of [...listeners]) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
