import { slugOf } from '../../rules/domains.ts';
import { deepEqual } from '../../rules/deep-equal.ts';
import { outboundCategoryId } from '../../listings/rules/category-map.ts';
import type { ItemDetails } from './history-facts.ts';
import type { Enrichment, EnrichmentPart, Finding, ItemContent, ItemText } from './item-content.ts';
import { wantsPublication, type Item } from './item.ts';
import { theService } from './journal.ts';
import { note } from './note.ts';

/** The parts that the item needs and that were not made from its present content. */
export function owedEnrichment(item: Item): readonly EnrichmentPart[] {
  const { content, enrichment } = item;
  const { text, vehicle, category } = enrichment;
  const plate = plateAlone(content);
  const owed: EnrichmentPart[] = [];
  if (content.useAiEnhancement && (!isTextOf(enrichment, content) || isToBeAskedAgain(item, text))) owed.push('text');
  if (plate !== null && (vehicle?.plate !== plate || isToBeAskedAgain(item, vehicle))) owed.push('vehicle');
  if (needsCategory(item) && category?.title !== content.title) owed.push('category');
  return owed;
}

const isTextOf = ({ text }: Pick<Enrichment, 'text'>, { title, description }: ItemText): boolean =>
  text !== null && text.of.title === title && text.of.description === description;

const isToBeAskedAgain = ({ revision }: Item, asked: Enrichment['text'] | Enrichment['vehicle']): boolean =>
  asked !== null && asked.unansweredAtRevision !== null && asked.unansweredAtRevision < revision;

/** The plate of a vehicle that came without make, model and year; null otherwise (specification "vehicles"). */
export function plateAlone({ domain }: ItemContent): string | null {
  if (domain?.slug !== 'vehicles') return null;
  const { registrationPlate, make, model, year } = domain.attributes;
  const isAlone = make === undefined && model === undefined && year === undefined;
  return isAlone && typeof registrationPlate === 'string' ? registrationPlate : null;
}

const needsCategory = (item: Item): boolean =>
  wantsPublication(item) && outboundCategoryId(slugOf(item.content.domain)) === undefined;

/**
 * Records one finding. Returns the item unchanged when the part is no longer needed, or its input has changed meanwhile. This is
 * no accepted write: `revision` stays, so that a part without an answer is not asked for again at once.
 */
export function recordFinding(item: Item, finding: Finding, now: Date): Item {
  if (!isStillAskedFor(item, finding)) return item;
  const found: Item = { ...item, enrichment: { ...item.enrichment, ...partOf(finding, item.revision) } };
  // Auctions show the finding, so a visible difference counts as changed content.
  const contentNumber = deepEqual(shown(item), shown(found)) ? item.contentNumber : item.contentNumber + 1;
  const changed = { ...found, contentNumber };
  return isKnownToBeUnanswered(item, finding)
    ? changed
    : note(changed, { at: now, kind: 'enriched', details: detailsOf(finding), actor: theService });
}

function isStillAskedFor(item: Item, finding: Finding): boolean {
  if (!owedEnrichment(item).includes(finding.part)) return false;
  const { title, description } = item.content;
  switch (finding.part) {
    case 'text':
      return finding.of.title === title && finding.of.description === description;
    case 'vehicle':
      return finding.plate === plateAlone(item.content);
    case 'category':
      return finding.title === title;
  }
}

function partOf(finding: Finding, revision: number): Partial<Enrichment> {
  switch (finding.part) {
    case 'text': {
      const { of, answer } = finding;
      return { text: { of, improved: foundIn(answer), unansweredAtRevision: unansweredAt(answer, revision) } };
    }
    case 'vehicle': {
      const { plate, answer } = finding;
      const found = { plate, found: foundIn(answer), unansweredAtRevision: unansweredAt(answer, revision) };
      return { vehicle: answer === 'off' ? { ...found, isOff: true } : found };
    }
    case 'category':
      return { category: { title: finding.title, categoryId: finding.categoryId } };
  }
}

type Unanswered = 'unanswered' | 'used-up' | 'off';

const isUnanswered = (answer: unknown): answer is Unanswered =>
  answer === 'unanswered' || answer === 'used-up' || answer === 'off';

const foundIn = <Found>(answer: Found | null | Unanswered): Found | null => (isUnanswered(answer) ? null : answer);

const unansweredAt = (answer: unknown, revision: number): number | null => (isUnanswered(answer) ? revision : null);

const shown = (item: Item): unknown => [effectiveContent(item), item.enrichment.category?.categoryId ?? null];

/** A missing answer is noted once for each text and each plate, however often it is tried. */
function isKnownToBeUnanswered({ content, enrichment }: Item, finding: Finding): boolean {
  if (finding.part === 'category' || !isUnanswered(finding.answer)) return false;
  return finding.part === 'text' ? isTextOf(enrichment, content) : enrichment.vehicle?.plate === finding.plate;
}

function detailsOf(finding: Finding): ItemDetails['enriched'] {
  switch (finding.part) {
    case 'text': {
      const { answer } = finding;
      if (answer === 'unanswered') return { part: 'text', outcome: 'unanswered' };
      return { part: 'text', outcome: answer === null ? 'unneeded' : 'improved' };
    }
    case 'vehicle': {
      const { answer } = finding;
      if (answer === 'unanswered') return { part: 'vehicle', outcome: 'unanswered' };
      if (answer === 'used-up') return { part: 'vehicle', outcome: 'used_up' };
      if (answer === 'off') return { part: 'vehicle', outcome: 'off' };
      if (answer === null) return { part: 'vehicle', outcome: 'unknown' };
      return { part: 'vehicle', outcome: 'found', ...answer };
    }
    case 'category':
      return { part: 'category', categoryId: finding.categoryId };
  }
}

/**
 * The content as buyers see it: the caller's own, completed with what the service found out. Price, images and the attributes
 * that the caller gave are always the caller's.
 */
export function effectiveContent({ content, enrichment }: Pick<Item, 'content' | 'enrichment'>): ItemContent {
  const improved = improvedText(content, enrichment);
  const plate = plateAlone(content);
  const found = plate !== null && enrichment.vehicle?.plate === plate ? enrichment.vehicle.found : null;
  if (improved === null && found === null) return content;
  const domain =
    content.domain === null || found === null
      ? content.domain
      : { ...content.domain, attributes: { ...content.domain.attributes, ...found } };
  return { ...content, ...improved, domain };
}

/** The texts of an item that the service has improved; null while its own are shown. */
export const improvedText = (
  content: ItemText & Pick<ItemContent, 'useAiEnhancement'>,
  enrichment: Pick<Enrichment, 'text'>,
): ItemText | null =>
  content.useAiEnhancement && isTextOf(enrichment, content) ? (enrichment.text?.improved ?? null) : null;
