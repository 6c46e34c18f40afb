import type { Item } from '../core/items/item.ts';
import type { Orchestrator } from '../gateways/orchestrator/port.ts';
import type { FirstLook } from '../usecases/context.ts';
import { createHints, type Hints } from '../usecases/hints.ts';
import type { Foundation } from './foundation.ts';

/** The queue of hints to the durable engine, one for each process. */
export const composeHints = ({ logger, metrics }: Pick<Foundation, 'logger' | 'metrics'>): Hints =>
  createHints(logger, (how) => metrics.hintsLost.add({ how }));

export const nudger =
  (hints: Hints, orchestrator: Orchestrator) =>
  (item: Item): void => {
    const { id, accountId, externalId, requestId = null } = item;
    hints.send(`item:${id}`, () => orchestrator.nudgeItem({ itemId: id, accountId, externalId, requestId }));
  };

/** A trace goes on through the engine alone, so a process that traces has all items go there. */
export const firstLookOf = ({ config, tracing }: Pick<Foundation, 'config' | 'tracing'>): FirstLook =>
  tracing === undefined ? config.items.firstLook : 'workflow';
