// Makes events as a worker does when items settle: event and delivery records in one transaction. But without the items, so that
// nothing but deliveries is measured. The attempts are the worker's.
import { openFoundation } from '../../compose/foundation.ts';
import { loadConfig } from '../../compose/config.ts';
import { accountId, type AccountId } from '../../core/ids.ts';
import { wantsEvent } from '../../core/webhooks/wants-event.ts';
import { createLogger } from '../../platform/logger.ts';
import { inTransaction } from '../../store/database/transaction.ts';
import { insertDeliveries } from '../../store/deliveries/deliveries.ts';
import { createDoorbell } from '../../store/dispatch/doorbell.ts';
import { targetLine } from '../../store/dispatch/due-rows.ts';
import { insertEvents, type DueEvent } from '../../store/events/events.ts';
import { findTargets } from '../../store/webhooks/webhook-targets.ts';
import { planDelivery } from '../../usecases/events/plan-deliveries.ts';
import { createdItem } from '../support/catalogue.ts';
import { serveMaker } from '../support/serve-maker.ts';

const { store, now: clock } = await openFoundation({ config: loadConfig(), logger: createLogger('bench', 'warn') });
const { ring } = createDoorbell(store);

let made = 0;

function itemCreated(account: AccountId): DueEvent {
  made += 1;
  const item = createdItem(account, `delivery-${made}`);
  const [entry] = item.outbox;
  if (entry === undefined) throw new Error('a new item has no event');
  return { entry, accountId: account, itemId: item.id, externalId: item.externalId };
}

serveMaker(async (account, count, tell) => {
  const owner = accountId(account);
  const events = Array.from({ length: count }, () => itemCreated(owner));
  for (const { entry } of events) tell(entry.eventId);
  const targetsOf = await findTargets(store, [owner]);
  const deliveries = await inTransaction(store, async (session) => {
    const now = clock();
    const numbered = await insertEvents(store, events, { now, session });
    const planned = numbered.flatMap((event) =>
      targetsOf(owner)
        .filter((target) => wantsEvent(target, { type: event.entry.type, acceptedAt: event.acceptedAt }))
        .map((target) => planDelivery(event, target, now)),
    );
    await insertDeliveries(store, planned, session);
    return planned;
  });
  for (const delivery of deliveries) ring(targetLine('worker', delivery));
});
