import test from 'ava';
import type { Item } from '../../features/items/rules/item.ts';
import { blockedReasonOf } from '../../features/operations/rules/explain-wait.ts';
import { anItem, noon } from '../support/an-item.ts';

const later = new Date(noon.getTime() + 60_000);
const processing = { ...anItem().processing, waitingFor: null, updatedAt: later };
const item = (changes: Partial<Item> = {}): Item => anItem({ settledRevision: 1, processing, ...changes });
const vehicle = (answer: Partial<NonNullable<Item['enrichment']['vehicle']>>): Partial<Item> => ({
  content: {
    ...anItem().content,
    domain: { slug: 'vehicles', attributes: { registrationPlate: 'MLB84A' } },
  },
  enrichment: {
    ...anItem().enrichment,
    vehicle: { plate: 'MLB84A', found: null, unansweredAtRevision: null, ...answer },
  },
});

test('an item that is well is in no trouble', (t) => {
  t.is(blockedReasonOf(item()), null);
});

test('what an item waits for is its trouble, from its beginning', (t) => {
  const waiting = { ...processing, waitingFor: 'marketplace', since: noon } as const;
  t.deepEqual(blockedReasonOf(item({ processing: waiting })), { reason: 'marketplace', since: noon });
});

test('a deleted item that still waits is in trouble, and one at rest is in none', (t) => {
  const waiting = { ...processing, waitingFor: 'auction_end', since: noon } as const;
  const deleted = { current: false, removedAt: noon };
  t.is(blockedReasonOf(item({ ...deleted, processing: waiting }))?.reason, 'auction_end');
  t.is(blockedReasonOf(item({ ...deleted, processing: { ...processing, stage: 'given_up' } })), null);
});

test('what was given up stays in trouble until it is asked for again', (t) => {
  t.is(blockedReasonOf(item({ processing: { ...processing, stage: 'given_up' } }))?.reason, 'given_up');
});

test('a plate that nobody knows and a registry that was silent are told apart', (t) => {
  t.is(blockedReasonOf(item(vehicle({})))?.reason, 'plate_unknown');
  t.is(blockedReasonOf(item(vehicle({ unansweredAtRevision: 1 })))?.reason, 'registry_silent');
});

test('a plate that was never asked for, because look-ups are off, is no trouble', (t) => {
  t.is(blockedReasonOf(item(vehicle({ unansweredAtRevision: 1, isOff: true }))), null);
});

test('a plate that was found, or that is no longer the item’s, is no trouble', (t) => {
  const found = { make: 'Volvo', model: 'V70', year: 2012 };
  t.is(blockedReasonOf(item(vehicle({ found }))), null);
  t.is(blockedReasonOf(item(vehicle({ plate: 'ABC123' }))), null);
});

test('an item that is off the service needs nothing found out', (t) => {
  t.is(blockedReasonOf(item({ ...vehicle({}), serviceStatus: 'not_listed' })), null);
});

const failed = { sourceUrl: 'https://img.example/1.jpg', state: 'failed', contentHash: null, failure: null } as const;
const failedSet = { number: 2, images: [failed], announced: true } as const;

test('an item whose images all failed is in trouble, also while its auction is up with older ones', (t) => {
  t.is(blockedReasonOf(item({ serviceStatus: 'active', imageSet: failedSet }))?.reason, 'images');
});

test('an item that is off the service, or deleted, waits for no images', (t) => {
  const waiting = { ...processing, waitingFor: 'images', since: noon } as const;
  t.is(blockedReasonOf(item({ processing: waiting }))?.reason, 'images');
  for (const off of [{ serviceStatus: 'not_listed' }, { current: false, removedAt: noon }] as const)
    t.is(blockedReasonOf(item({ ...off, imageSet: failedSet, processing: waiting })), null);
});
