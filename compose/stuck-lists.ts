import type { Item } from '../features/items/rules/item.ts';
import { blockedReasonOf } from '../features/operations/rules/explain-wait.ts';
import { everythingStuck, stuckLists, type StuckList } from '../features/operations/rules/stuck-lists.ts';
import { createListPages } from '../gateways/orchestrator/workflow-pages.ts';
import type { Config } from './config.ts';

/** The address of the list of all stuck work. */
export const everythingStuckUrl = (ui: Pick<Config['temporal'], 'uiUrl' | 'namespace'>): string =>
  createListPages(ui)(everythingStuck.query);

/** The prepared lists of stuck work, each with its address. */
export function stuckListPages(
  ui: Pick<Config['temporal'], 'uiUrl' | 'namespace'>,
): readonly (StuckList & { readonly url: string })[] {
  const pageOf = createListPages(ui);
  return stuckLists.map((list) => ({ ...list, url: pageOf(list.query) }));
}

/**
 * The address of the list of work that is stuck for this item's reason; null when the item is not stuck, or without a
 * UI.
 */
export function stuckUrlOf(ui: Pick<Config['temporal'], 'uiUrl' | 'namespace'>, item: Item): string | null {
  const reason = blockedReasonOf(item)?.reason;
  const list = stuckLists.find(({ name }) => name === reason);
  return list === undefined || ui.uiUrl === '' ? null : createListPages(ui)(list.query);
}
