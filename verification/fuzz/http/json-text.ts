/** JSON as it will be written: unlike values it may hold numbers of any size, one key twice, and text that is no JSON at all. */
export type JsonText =
  | { readonly kind: 'raw'; readonly text: string }
  | { readonly kind: 'array'; readonly items: readonly JsonText[] }
  | { readonly kind: 'object'; readonly entries: readonly (readonly [string, JsonText])[] };

export const raw = (text: string): JsonText => ({ kind: 'raw', text });

export function toJsonText(value: unknown): JsonText {
  if (Array.isArray(value)) return { kind: 'array', items: value.map(toJsonText) };
  if (typeof value !== 'object' || value === null) return raw(JSON.stringify(value) ?? 'null');
  return { kind: 'object', entries: Object.entries(value).map(([key, part]) => [key, toJsonText(part)] as const) };
}

export function writeJsonText(json: JsonText): string {
  switch (json.kind) {
    case 'raw':
      return json.text;
    case 'array':
      return `[${json.items.map(writeJsonText).join(',')}]`;
    case 'object':
      return `{${json.entries.map(([key, part]) => `${JSON.stringify(key)}:${writeJsonText(part)}`).join(',')}}`;
  }
}

/** How many places `mapPlace` can change: the whole, and every value in it. */
export function countPlaces(json: JsonText): number {
  const parts = json.kind === 'array' ? json.items : json.kind === 'object' ? json.entries.map(([, part]) => part) : [];
  return 1 + parts.reduce((sum, part) => sum + countPlaces(part), 0);
}

/** The same with one place changed: 0 is the whole, then depth first. */
export function mapPlace(json: JsonText, place: number, change: (json: JsonText) => JsonText): JsonText {
  if (place === 0) return change(json);
  let left = place - 1;
  const within = (part: JsonText): JsonText => {
    const places = countPlaces(part);
    const own = left;
    left -= places;
    return own >= 0 && own < places ? mapPlace(part, own, change) : part;
  };
  switch (json.kind) {
    case 'raw':
      return json;
    case 'array':
      return { kind: 'array', items: json.items.map(within) };
    case 'object':
      return { kind: 'object', entries: json.entries.map(([key, part]) => [key, within(part)] as const) };
  }
}

/** The same with one more field, where it is an object. */
export const withField = (json: JsonText, key: string, value: JsonText): JsonText =>
  json.kind === 'object' ? { kind: 'object', entries: [...json.entries, [key, value]] } : json;
