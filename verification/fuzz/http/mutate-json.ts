import type { Seeded } from '../support/seeded.ts';
import { hostileKeys, hostileNumbers, hostileParts, hostileTexts } from './hostile-values.ts';
import { countPlaces, mapPlace, raw, writeJsonText, type JsonText } from './json-text.ts';

type Change = (json: JsonText, random: Seeded) => JsonText;

const changes: readonly Change[] = [
  (_json, random) => raw(random.pick(hostileNumbers)),
  (_json, random) => raw(random.pick(hostileTexts)),
  (_json, random) => random.pick(hostileParts),
  (json) => ({ kind: 'array', items: [json] }),
  (json, random) => ({ kind: 'object', entries: [[random.pick(hostileKeys), json]] }),
  (json, random) => ({ kind: 'array', items: Array.from({ length: random.below(1_200) }, () => json) }),
  withEntry,
  withoutPart,
  twice,
  reversed,
];

/** A valid body after one to four changes at random places, and now and then a text that is hardly JSON any more. */
export function mutateJson(example: JsonText, random: Seeded): string {
  let json = example;
  for (let left = 1 + random.below(4); left > 0; left -= 1) {
    const change = random.pick(changes);
    json = mapPlace(json, random.below(countPlaces(json)), (part) => change(part, random));
  }
  const text = writeJsonText(json);
  return random.isLucky(0.15) ? damaged(text, random) : text;
}

function withEntry(json: JsonText, random: Seeded): JsonText {
  if (json.kind !== 'object') return raw(random.pick(hostileTexts));
  const value = random.isLucky(0.5) ? random.pick(hostileParts) : raw(random.pick(hostileNumbers));
  return { kind: 'object', entries: [...json.entries, [random.pick(hostileKeys), value]] };
}

function withoutPart(json: JsonText, random: Seeded): JsonText {
  if (json.kind === 'raw') return raw('null');
  if (json.kind === 'array') return { kind: 'array', items: json.items.toSpliced(random.below(json.items.length), 1) };
  return { kind: 'object', entries: json.entries.toSpliced(random.below(json.entries.length), 1) };
}

/** One key with two values: which one counts must not depend on who looks. */
function twice(json: JsonText, random: Seeded): JsonText {
  if (json.kind === 'array') return { kind: 'array', items: [...json.items, ...json.items] };
  if (json.kind === 'raw' || json.entries.length === 0) return { kind: 'array', items: [json, json] };
  const [key] = random.pick(json.entries);
  return { kind: 'object', entries: [...json.entries, [key, random.pick(hostileParts)]] };
}

function reversed(json: JsonText): JsonText {
  if (json.kind === 'array') return { kind: 'array', items: json.items.toReversed() };
  return json.kind === 'object' ? { kind: 'object', entries: json.entries.toReversed() } : json;
}

function damaged(text: string, random: Seeded): string {
  const at = random.below(text.length);
  const part = random.pick(['', ',', '"', '{', ']', ':', '\\', '\0', '\u00a0', '//', "'", '\ud800', '/**/', '\v']);
  return random.isLucky(0.3) ? text.slice(0, at) : `${text.slice(0, at)}${part}${text.slice(at + random.below(3))}`;
}
