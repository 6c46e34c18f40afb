import { Refusal } from '../../features/rules/errors.ts';
import type { Precondition, TagCondition } from '../../features/items/write-item.ts';
import type { Call } from './route.ts';

/**
 * Reads `If-Match` of a write. Weak tags never match (RFC 9110, 13.1.1). Throws {@link Refusal} BAD_REQUEST for an invalid list.
 */
export function readIfMatch({ headers }: Call): Precondition {
  const value = headers['if-match'];
  return value === undefined ? {} : { ifMatch: readTags('If-Match', value, { acceptsWeak: false }) };
}

/**
 * Reads `If-None-Match` of a write that may create: `*` requires that no item exists (RFC 9110, 13.1.2). Throws as {@link
 * readIfMatch}.
 */
export function readIfNoneMatch({ headers }: Call): Precondition {
  const value = headers['if-none-match'];
  return value === undefined ? {} : { ifNoneMatch: readTags('If-None-Match', value, { acceptsWeak: true }) };
}

/** One tag with the comma after it, or an empty place in the list. Commas are allowed inside of the quotes. */
const listItem = /[ \t]*(?:(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*)?(?:,|$)/y;

function readTags(name: string, value: string, { acceptsWeak }: { acceptsWeak: boolean }): TagCondition {
  if (value.trim() === '*') return 'any';
  const tags: string[] = [];
  let count = 0;
  for (let at = 0; at < value.length; at = listItem.lastIndex) {
    listItem.lastIndex = at;
    const [, weak, tag] = listItem.exec(value) ?? malformed(name);
    if (tag === undefined) continue;
    count += 1;
    tags.push(weak === undefined || acceptsWeak ? tag : `W/${tag}`);
  }
  return count === 0 ? malformed(name) : tags;
}

function malformed(name: string): never {
  throw new Refusal('BAD_REQUEST', `${name} must be * or entity tags such as "<itemId>.<revision>", in quotes`);
}
