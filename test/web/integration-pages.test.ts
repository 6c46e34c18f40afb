import test from 'ava';
import { auditQuery, findPage, hasAuditFilters } from '../../web/dashboard/src/pages/audit-log/audit-query.ts';
import {
  keyBodyOf,
  keyScopes,
  lacksScopes,
  newKeyDraft,
  withScope,
} from '../../web/dashboard/src/pages/keys/key-draft.ts';
import { requestQuery } from '../../web/dashboard/src/pages/requests/request-query.ts';
import { readSentBody } from '../../web/dashboard/src/pages/delivery/read-sent-body.ts';
import { deliveryQuery } from '../../web/dashboard/src/pages/deliveries/delivery-query.ts';
import { sinceChoices, sinceOf } from '../../web/dashboard/src/pages/webhook/since.ts';
import { latestAttempt, outcomeOf } from '../../web/dashboard/src/webhooks/delivery-outcome.ts';
import { endpointState } from '../../web/dashboard/src/webhooks/endpoint-state.ts';
import { eventTypes } from '../../web/dashboard/src/webhooks/event-types.ts';
import { bodyOf, lacksEventTypes, newDraft } from '../../web/dashboard/src/webhooks/webhook-draft.ts';
import { eventTypes as sentEventTypes } from '../../features/webhooks/rules/event-types.ts';
import { auditKinds } from '../../web/dashboard/src/pages/audit-log/kinds.ts';
import { auditKinds as keptAuditKinds } from '../../features/accounts/rules/audit-entry.ts';
import { keyScopes as allKeyScopes } from '../../features/accounts/rules/api-key.ts';
import { journalKinds } from '../../features/items/rules/journal.ts';

test('the dashboard offers every kind of event and of audit entry, and every scope, that there is', (t) => {
  t.deepEqual(keyScopes, allKeyScopes);
  t.deepEqual(eventTypes, sentEventTypes);
  t.deepEqual(auditKinds.toSorted(), [...keptAuditKinds, ...journalKinds].toSorted());
});

test('an endpoint shows as disabled only when the service switched it off, as paused when its owner did', (t) => {
  const facts = { active: true, failCount: 0, disabledAt: null, warning: null };
  t.is(endpointState(facts), 'working');
  t.is(endpointState({ ...facts, failCount: 2 }), 'failing');
  t.is(endpointState({ ...facts, failCount: 6, warning: { level: 5 } }), 'warned');
  t.is(endpointState({ ...facts, active: false }), 'paused');
  t.is(endpointState({ ...facts, active: false, disabledAt: '2026-11-22T08:00:00Z' }), 'disabled');
});

test('a delivery is followed until it got through or its last attempt failed, in whatever order the log lists them', (t) => {
  const first = { attempt: 1, status: 'failed' } as const;
  const second = { attempt: 2, status: 'success' } as const;
  t.is(outcomeOf([], 5), 'under-way');
  t.is(outcomeOf([first], 5), 'retried');
  t.is(outcomeOf([first], 1), 'failed');
  t.is(outcomeOf([second, first], 5), 'succeeded');
  t.is(latestAttempt([first, second]), second);
});

test('no event ticked is refused in the form, because the service would take it for all of them', (t) => {
  const draft = newDraft(false);
  t.true(lacksEventTypes({ ...draft, isForAll: false }));
  t.false(lacksEventTypes(draft));
  t.deepEqual(bodyOf({ ...draft, eventTypes: ['item.sold'] }).eventTypes, []);
  t.deepEqual(bodyOf({ ...draft, isForAll: false, eventTypes: ['item.sold'] }).eventTypes, ['item.sold']);
});

test("a new webhook is about the account's own items, that of a reseller about its members' items", (t) => {
  t.is(bodyOf(newDraft(false)).scope, 'self');
  t.is(bodyOf(newDraft(true)).scope, 'members');
});

test('a new key is bounded by what the form says, and by nothing that it leaves out', (t) => {
  const now = Date.parse('2026-11-22T08:00:00Z');
  t.deepEqual(keyBodyOf({ ...newKeyDraft, name: ' ERP ' }, now), { name: 'ERP' });
  t.deepEqual(
    keyBodyOf({ ...newKeyDraft, isForAll: false, scopes: ['items:read'], lifetime: '30', addresses: ' a, b\nc ' }, now),
    { name: '', scopes: ['items:read'], expiresAt: '2026-12-22T08:00:00.000Z', addresses: ['a', 'b', 'c'] },
  );
  t.true(lacksScopes({ ...newKeyDraft, isForAll: false }));
  const ticked = withScope(withScope(newKeyDraft, 'orders:read', true), 'items:read', true);
  t.deepEqual(ticked.scopes, ['items:read', 'orders:read']);
  t.deepEqual(withScope(ticked, 'items:read', false).scopes, ['orders:read']);
});

test('the request log leaves out of the address what the service would refuse', (t) => {
  t.deepEqual(requestQuery({ status: 'nonsense', path: '', keyId: 'k', from: '2026-10-24', to: 'x' }), {
    keyId: 'k',
    since: '2026-10-24T00:00:00+02:00',
  });
  t.deepEqual(requestQuery({ status: 'refused', path: 'A1' }), { status: 'refused', path: 'A1' });
});

test('no choice of a recovery goes back further than the service takes', (t) => {
  const now = Date.parse('2026-11-22T08:00:00Z');
  for (const choice of sinceChoices) {
    const age = now - Date.parse(sinceOf(choice, now));
    t.true(age > 0 && age < 30 * 86_400_000, choice);
  }
});

test('filters that the service would refuse are left out, and days are whole Swedish ones', (t) => {
  t.deepEqual(deliveryQuery({ status: 'perhaps', eventType: 'x', externalId: 'A1' }), { externalId: 'A1' });
  t.deepEqual(auditQuery({ kind: 'sold', actor: 'nobody', from: '2026-10-24', to: '2026-10-25', view: 'acting' }), {
    kind: 'sold',
    since: '2026-10-24T00:00:00+02:00',
    until: '2026-10-26T00:00:00+01:00',
    view: 'acting',
  });
  t.false(hasAuditFilters({ view: 'acting' }));
  t.true(hasAuditFilters({ externalId: 'A1' }));
});

test('empty pages of the audit log are passed over, but not without end', async (t) => {
  const pages = new Map([
    [undefined, { entries: [], nextCursor: 'b' }],
    ['b', { entries: ['found'], nextCursor: 'c' }],
  ]);
  const read = async (cursor: string | undefined) => pages.get(cursor) ?? { entries: [], nextCursor: 'more' };
  t.deepEqual(await findPage<string>(read, undefined), { rows: ['found'], nextCursor: 'c' });
  t.deepEqual(await findPage<string>(read, 'c'), { rows: [], nextCursor: 'more' });
});

test('a body that is no event is shown as it was sent', (t) => {
  t.deepEqual(readSentBody('not json'), { text: 'not json', ownerId: undefined, isTest: false });
  t.deepEqual(readSentBody('[1]'), { text: '[\n  1\n]', ownerId: undefined, isTest: false });
  const { ownerId, isTest } = readSentBody('{"data":{"test":true,"account":{"serviceUserId":"u1"}}}');
  t.deepEqual({ ownerId, isTest }, { ownerId: 'u1', isTest: true });
});
