import test from 'ava';
import { acceptWrite } from '../../features/items/rules/owed-work.ts';
import { theMarketplace, theService } from '../../features/items/rules/journal.ts';
import { note } from '../../features/items/rules/note.ts';
import { announceImages } from '../../features/images/rules/image-set.ts';
import { createItem } from '../../features/items/rules/upsert-item.ts';
import { anItemRequest } from '../support/an-item-request.ts';
import { aCaller, anItem, noon } from '../support/an-item.ts';

const line = { at: noon, kind: 'updated', details: { fields: ['title'] } } as const;

test('an event names the call that caused it, also when the service says it later', (t) => {
  const { id, accountId, externalId } = anItem();
  const created = createItem({
    id,
    accountId,
    externalId,
    request: anItemRequest(),
    sequenceBefore: 0,
    actor: aCaller,
    now: noon,
  });
  t.is(created.requestId, 'request-1');
  const announced = announceImages(acceptWrite(created, noon), noon);
  t.deepEqual(
    announced.outbox.map(({ type, requestId }) => [type, requestId]),
    [
      ['item.created', 'request-1'],
      ['item.images_ready', 'request-1'],
    ],
  );
});

test('the next call is the cause of what follows, and one without an id leaves none', (t) => {
  const item = note(anItem(), { ...line, actor: { ...aCaller, requestId: 'request-2' } });
  t.is(item.requestId, 'request-2');
  t.is(note(item, { ...line, actor: { ...aCaller, requestId: null } }).requestId, null);
});

test('what service and marketplace do goes on with the cause that there was', (t) => {
  const item = note(anItem(), { ...line, actor: { ...aCaller, requestId: 'request-2' } });
  for (const actor of [theService, theMarketplace]) t.is(note(item, { ...line, actor }).requestId, 'request-2');
  t.is(note(item, { ...line, actor: { ...theService, requestId: 'command-1' } }).requestId, 'command-1');
});
