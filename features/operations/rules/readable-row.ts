/** Ends the names of fields that hold a ciphertext, or a hash by which a secret is recognised. */
const secret = /(Encrypted|Hash|Hashes|Secret|Successor)$|^hash$/;
/** Hashes of pictures and of what a partner has sent. */
const harmless: ReadonlySet<string> = new Set(['contentHash', 'imageHashes', 'pushHash']);

/**
 * A stored row as its account may read it: no secrets, no name of the operator who did something, bytes as the text that they
 * are.
 */
export function readableRow(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(readableRow);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  // An id of the database, which says itself in hex.
  if ('toHexString' in value) return value;
  const bytes: unknown = Reflect.get(value, 'buffer');
  if (bytes instanceof Uint8Array) return new TextDecoder().decode(bytes);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, member]) => !isHidden(name, member))
      .map(([name, member]) => [name, readableRow(member)]),
  );
}

const isHidden = (name: string, member: unknown): boolean =>
  (secret.test(name) && !harmless.has(name)) || (name === 'operator' && typeof member === 'string');
