const rememberedMax = 10_000;

export interface BoundedMap<Value> {
  get(key: string): Value | undefined;
  delete(key: string): void;
  set(key: string, value: Value): void;
}

/** Forgets those that came first when there are too many. */
export function createBoundedMap<Value>(): BoundedMap<Value> {
  const map = new Map<string, Value>();
  return {
    get: (key) => map.get(key),
    delete: (key) => {
      map.delete(key);
    },
    set: (key, value) => {
      map.delete(key);
      map.set(key, value);
      if (map.size <= rememberedMax) return;
      const [oldest] = map.keys();
      if (oldest !== undefined) map.delete(oldest);
    },
  };
}
