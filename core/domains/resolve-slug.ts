import { domainRows, type DomainSlug } from './domain-table.ts';

// A Map and not an object: inputs such as `__proto__` or `constructor` must find nothing.
const slugByInput: ReadonlyMap<string, DomainSlug> = new Map(
  domainRows.flatMap((row) =>
    [row.slug, ...row.aliases, row.labelEn, row.labelSv].map((input) => [comparable(input), row.slug] as const),
  ),
);

/**
 * The domain that a slug, an alias of the specification or a label from `GET /categories` means; undefined when none.
 * Letter case doesn't matter, dashes and spaces count as underscores, `å ä ö` as `a a o` (so `Böcker` is the alias
 * `bocker`). The empty string is `other`; nothing is trimmed or guessed beyond that.
 */
export function resolveSlug(input: string): DomainSlug | undefined {
  // No name is that long, whatever its Unicode form: normalising the input would only cost time.
  return input.length > 1_000 ? undefined : slugByInput.get(comparable(input));
}

function comparable(input: string): string {
  return input.normalize('NFC').toLowerCase().replace(/[- ]/g, '_').replace(/[åä]/g, 'a').replace(/ö/g, 'o');
}
