import { adHtml } from './ad-text.ts';
import { problem, type FieldProblem } from '../../rules/field-problems.ts';
import type { ItemContent } from '../../items/rules/item-content.ts';

/**
 * Limits of the marketplace, in characters. The text counts with its markup. Everything that is cut for them is cut here. Source: the
 * class documentation of the marketplace's ItemRequest.
 */
export const marketplaceLimits = { title: 80, text: 7_000, ownReference: 60 } as const;

const ellipsis = '…';

/** The title that the marketplace gets. */
export const adTitle = (title: string): string => cut(title, marketplaceLimits.title);

/** The description that the marketplace gets. Of one that is too long the caller's own text is cut, never the technical block. */
export function adDescription({ description, domain }: Pick<ItemContent, 'description' | 'domain'>): string {
  const whole = adHtml(description, domain);
  if (whole.length <= marketplaceLimits.text) return whole;
  // The longest beginning that fits: each character may become up to six of markup.
  let [fits, tooLong] = [0, description.length];
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2);
    if (adHtml(cut(description, middle), domain).length <= marketplaceLimits.text) fits = middle;
    else tooLong = middle;
  }
  return adHtml(cut(description, fits), domain);
}

/** Those of the references that the marketplace takes: a long external id is left out, and ours are always short enough. */
export const fittingReferences = (references: readonly string[]): readonly string[] =>
  references.filter(({ length }) => length <= marketplaceLimits.ownReference);

/** What the marketplace will show otherwise than it was pushed. */
export function limitWarnings(externalId: string, { title, description, domain }: ItemContent): FieldProblem[] {
  const { ownReference, title: titleMax, text } = marketplaceLimits;
  const shown = adTitle(title);
  return [
    ...(externalId.length > ownReference ? [problem('externalId', 'reference_left_out', { max: ownReference })] : []),
    ...(shown === title ? [] : [problem('title', 'title_cut', { max: titleMax, shown })]),
    ...(adHtml(description, domain).length > text ? [problem('description', 'description_cut', { max: text })] : []),
  ];
}

/** Never between the halves of a character. */
function cut(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text;
  if (lengthMax < ellipsis.length) return '';
  return `${text
    .slice(0, lengthMax - ellipsis.length)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd()}${ellipsis}`;
}
