// Makes events as writes of items do, and their first attempts, but no items: nothing else is measured. One transaction stores what
// is handed over meanwhile, with its deliveries. Retries, and what waits for a receiver, are the worker's beside it.
import { loadConfig } from '../../compose/config.ts';
import { openFoundation } from '../../compose/foundation.ts';
import { composeStarts } from '../../compose/starts.ts';
import { accountId, type AccountId } from '../../features/rules/ids.ts';
import { Batcher } from '../../platform/concurrency/batcher.ts';
import { createLogger } from '../../platform/logger.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { insertDeliveries } from '../../features/webhooks/store/deliveries.ts';
import { insertEvents, type DueEvent } from '../../features/webhooks/store/events.ts';
import { findTargets } from '../../features/webhooks/store/webhook-targets.ts';
import { createdItem } from '../support/catalogue.ts';
import { serveMaker } from './serve-maker.ts';

const foundation = await openFoundation({ config: loadConfig(), logger: createLogger('bench', 'warn') });
const { store, now } = foundation;
const { hints } = composeStarts(foundation);

const events = new Batcher<DueEvent, DueEvent>({
  sizeMax: 100,
  atOnce: 2,
  begin: 'after this turn',
  commit: storeTogether,
});

async function storeTogether(due: readonly DueEvent[]): Promise<readonly DueEvent[]> {
  const plan = hints.plan();
  try {
    const planned = await inTransaction(store, async (session) => {
      const at = now();
      const numbered = await insertEvents(store, due, { now: at, session });
      const targetsOf = await findTargets(store, [...new Set(due.map((event) => event.accountId))], session);
      const rows = numbered.flatMap((event) => plan.planDeliveries(event, targetsOf(event.accountId), at));
      await insertDeliveries(store, rows, session);
      return rows;
    });
    plan.onStored(planned);
    return due;
  } finally {
    plan.drop();
  }
}

let made = 0;

function itemCreated(account: AccountId): DueEvent {
  made += 1;
  const item = createdItem(account, `delivery-${made}`);
  const [entry] = item.outbox;
  if (entry === undefined) throw new Error('a new item has no event');
  return { entry, accountId: account, itemId: item.id, externalId: item.externalId };
}

serveMaker(async (account, count, tell) => {
  const due = Array.from({ length: count }, () => itemCreated(accountId(account)));
  for (const { entry } of due) tell(entry.eventId);
  await Promise.all(due.map((event) => events.add(event)));
});
