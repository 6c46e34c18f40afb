import { slugOf } from '../rules/domains.ts';
import { problem, type FieldProblem } from '../rules/field-problems.ts';
import type { ItemContent, ItemRequest } from './rules/item-content.ts';
import type { Item } from './rules/item.ts';
import { keepLeftOut, lostAttributes } from './rules/left-out.ts';
import { termProblems } from '../listings/rules/listing-terms.ts';
import { validationFailed } from '../../schemas/compile-schema.ts';
import { domainProblems } from '../../schemas/items/read-domain.ts';

/**
 * The request with what it keeps of the item. Both were checked by themselves, together they may contradict each other.
 * Throws Refusal VALIDATION_FAILED then, and for a new category that has no place for what the item has.
 */
export function withKept({ content: before }: Pick<Item, 'content'>, request: ItemRequest): ItemRequest {
  if (request.keep === undefined) return request;
  const content = keepLeftOut(before, request.content, request.keep.ai);
  const problems = [...categoryProblems(before, request.content), ...contradictions(content)];
  if (problems.length > 0) throw validationFailed(problems);
  return { ...request, content };
}

function categoryProblems(before: ItemContent, pushed: ItemContent): FieldProblem[] {
  const lost = lostAttributes(before, pushed);
  if (lost.length === 0) return [];
  const category = slugOf(before.domain);
  return [problem('domain.domain', 'other_category', { category, lost: lost.join(', ') })];
}

const contradictions = ({ domain, listing, priceOre }: ItemContent): readonly FieldProblem[] => [
  ...(listing === null ? [] : termProblems(listing, priceOre)),
  ...(domain === null ? [] : domainProblems(domain)),
];
