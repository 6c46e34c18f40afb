import type { Item } from '../../core/items/item.ts';
import type { NudgedItem } from '../../gateways/orchestrator/port.ts';

/** What the engine is told of an item that owes work. */
export const nudgeOf = ({ id, accountId, externalId, requestId = null }: Item): NudgedItem => ({
  itemId: id,
  accountId,
  externalId,
  requestId,
});
