import { randomBytes, randomUUID } from 'node:crypto';

/** Starts every canary: a text that only its account knows, and that stands in every text of it. */
const canaryPrefix = 'cnry';

/** A new one; in lower case and without separators, so that it can be part of a slug, an email address or a URL. */
export const canary = (): string => `${canaryPrefix}${randomBytes(6).toString('hex')}`;

/** What identifies something, whatever stands around it: canaries, UUIDs with and without dashes, hashes. */
const identifiers = [
  `${canaryPrefix}[\\da-f]{12}`,
  '[\\da-f]{8}-[\\da-f]{4}-[\\da-f]{4}-[\\da-f]{4}-[\\da-f]{12}',
  '[\\da-f]{64}',
  '[\\da-f]{32}',
].join('|');
const identifier = new RegExp(identifiers, 'g');
/** With what opens something (API keys, their prefixes, signing secrets) and sums of money that nobody else has. */
const form = new RegExp(
  `${identifiers}|sk_(?:live|test)_[A-Za-z\\d]+|whsec_[A-Za-z\\d+/=*]+|\\b\\d{5,6}\\.\\d{1,2}\\b`,
  'g',
);
/** Something encoded: a cursor, a token. */
const encoded = /[\w-]{16,}/g;

/** Every trace in a text, also inside of what it carries as base64url. UUIDs without dashes count as those with. */
export function tracesIn(text: string): ReadonlySet<string> {
  const plain = text.match(form) ?? [];
  const inside = (text.match(encoded) ?? []).flatMap((word) => decoded(word).match(form) ?? []);
  return new Set([...plain, ...inside].map(withDashes).filter((trace) => trace !== nil));
}

/** Stands in samples. */
const nil = '00000000-0000-4000-8000-000000000000';

const decoded = (word: string): string => Buffer.from(word, 'base64url').toString('latin1');

const withDashes = (trace: string): string =>
  /^[\da-f]{32}$/.test(trace) ? trace.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') : trace;

/** Gives every text a counterpart of the same form whose identifiers nobody has; the same trace always has the same one. */
export function createShadows(): (text: string) => string {
  const shadows = new Map<string, string>();
  const shadowOf = (trace: string): string => {
    const key = withDashes(trace);
    const known = shadows.get(key) ?? unusedLike(key);
    shadows.set(key, known);
    return trace === key ? known : known.replaceAll('-', '');
  };
  const replaced = (text: string): string => text.replaceAll(identifier, shadowOf);
  return (text) =>
    replaced(text).replaceAll(encoded, (word) => {
      const inside = decoded(word);
      const other = replaced(inside);
      return other === inside ? word : Buffer.from(other, 'latin1').toString('base64url');
    });
}

function unusedLike(trace: string): string {
  if (trace.startsWith(canaryPrefix)) return canary();
  return trace.includes('-') ? randomUUID() : randomBytes(32).toString('hex');
}

/** A text without what is different in any two answers: identifiers, secrets, times. */
export const withoutTraces = (text: string): string =>
  text
    .replaceAll(/sk_(?:live|test)_\w+|whsec_[\w+/=*]+/g, 'SECRET')
    .replaceAll(/[\w-]{20,}\.[\w-]{20,}\.[\w-]{20,}/g, 'JWT')
    .replaceAll(identifier, 'ID')
    .replaceAll(encoded, (word) => (decoded(word).search(identifier) >= 0 ? 'TOKEN' : word))
    .replaceAll(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, 'TIME');
