import pTimeout from 'p-timeout';
import { slugOf, type DomainSlug } from '../rules/domains.ts';
import type { AccountId } from '../rules/ids.ts';
import { owedEnrichment, plateAlone, recordFinding } from './rules/enrich-item.ts';
import type { Answer, EnrichmentPart, Finding, FoundVehicle, ItemText } from './rules/item-content.ts';
import type { Item, ItemKey } from './rules/item.ts';
import type { Vehicle } from '../vehicles/rules/vehicle.ts';
import type { Logger } from '../../platform/logger.ts';
import type { ItemStore } from './store/items.ts';
import { LookupsOff, LookupsUsedUp } from '../vehicles/look-up-vehicle.ts';
import { rewriteItem } from './write-item.ts';

export interface EnrichDependencies {
  readonly items: ItemStore;
  /** null when no model gave a usable text. */
  readonly improveText: (
    text: ItemText & Pick<Item, 'accountId'> & { readonly domain: DomainSlug },
  ) => Promise<ItemText | null>;
  /** A marketplace category. */
  readonly classifyItem: (text: ItemText) => Promise<number>;
  /**
   * null for a plate that the registry does not know. Throws when there is no answer, LookupsUsedUp when no look-up is left,
   * and LookupsOff when there is no registry.
   */
  readonly lookUpVehicle: (accountId: AccountId, plate: string) => Promise<VehicleName | null>;
  /** For an item that could not be classified in time. */
  readonly fallbackCategoryId: number;
  /** Time limit of each question; a later answer is ignored. */
  readonly partTimeoutMs: number;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly now: () => Date;
}

type VehicleName = Pick<Vehicle, 'make' | 'model' | 'year'>;

/**
 * Finds what an item's content leaves open: a better text, the vehicle of a plate, a category. A failure or a slow answer never
 * holds the item up. After a bounded time the item goes on without it, its timeline says so, and the next accepted write asks
 * again. Findings about content that changed meanwhile are dropped. Safe to repeat.
 */
export async function enrichItem(dependencies: EnrichDependencies, key: ItemKey): Promise<void> {
  const { items, logger, now } = dependencies;
  const startedAt = now().getTime();
  const item = await items.findById(key);
  if (item === null) return;
  const owed = owedEnrichment(item);
  if (owed.length === 0) return;
  const findings = await Promise.all(owed.map((part) => find(dependencies, part, item)));
  await rewriteItem(items, key, (current) =>
    findings.reduce((enriched, finding) => recordFinding(enriched, finding, now()), current),
  );
  const outcomes = Object.fromEntries(findings.map((finding) => [finding.part, outcomeOf(finding)]));
  logger.info(
    { itemId: item.id, accountId: item.accountId, ...outcomes, durationMs: now().getTime() - startedAt },
    'item.enriched',
  );
}

async function find(
  dependencies: EnrichDependencies,
  part: EnrichmentPart,
  { accountId, content }: Pick<Item, 'accountId' | 'content'>,
): Promise<Finding> {
  const { improveText, classifyItem, lookUpVehicle, fallbackCategoryId } = dependencies;
  const { title, description } = content;
  const of = { title, description };
  const ask = <Found>(question: () => Promise<Found>) => answerInTime(dependencies, part, question);
  switch (part) {
    case 'text': {
      const domain = slugOf(content.domain);
      // null means that the model gave nothing usable; a later try may succeed, so it counts as unanswered.
      return {
        part,
        of,
        answer: improvement(of, (await ask(() => improveText({ ...of, accountId, domain }))) ?? 'unanswered'),
      };
    }
    case 'vehicle': {
      const plate = plateAlone(content) ?? '';
      const answer = await ask(() => lookUpVehicle(accountId, plate).catch(notAsked));
      return { part, plate, answer: isFound(answer) ? describe(answer) : answer };
    }
    case 'category': {
      const answer = await ask(() => classifyItem(of));
      return { part, title, categoryId: answer === 'unanswered' ? fallbackCategoryId : answer };
    }
  }
}

const isFound = <Found>(answer: Answer<Found> | 'used-up' | 'off'): answer is Found =>
  answer !== null && answer !== 'unanswered' && answer !== 'used-up' && answer !== 'off';

function notAsked(error: unknown): 'used-up' | 'off' {
  if (error instanceof LookupsUsedUp) return 'used-up';
  if (error instanceof LookupsOff) return 'off';
  throw error;
}

/** A text equal to the present one is no improvement. */
function improvement(of: ItemText, answer: Answer<ItemText>): Answer<ItemText> {
  if (!isFound(answer)) return answer;
  const { title, description } = answer;
  return title === of.title && description === of.description ? null : { title, description };
}

/** Keeps only the fields that an item shows, and that the registry knows. */
const describe = ({ make, model, year }: VehicleName): FoundVehicle => ({
  ...(make !== '' && { make }),
  ...(model !== '' && { model }),
  ...(year !== null && { year }),
});

function outcomeOf(finding: Finding): string | number {
  if (finding.part === 'category') return finding.categoryId;
  if (typeof finding.answer === 'string') return finding.answer;
  return finding.answer === null ? 'nothing' : 'found';
}

/** Never throws and never takes longer than `partTimeoutMs`. */
async function answerInTime<Found>(
  { partTimeoutMs, logger }: EnrichDependencies,
  part: EnrichmentPart,
  question: () => Promise<Found>,
): Promise<Found | 'unanswered'> {
  try {
    return await pTimeout(question(), { milliseconds: partTimeoutMs, fallback: () => 'unanswered' as const });
  } catch (error) {
    // Logs only the name: the message of an unknown error may hold the text in question.
    logger.warn({ part, errorName: error instanceof Error ? error.name : typeof error }, 'enrichment.unanswered');
    return 'unanswered';
  }
}
