import test from 'ava';
import fc from 'fast-check';
import { domainSlugs } from '../../features/rules/domains.ts';
import { effectiveContent, owedEnrichment, recordFinding } from '../../features/items/rules/enrich-item.ts';
import {
  noEnrichment,
  type Enrichment,
  type Finding,
  type ItemContent,
} from '../../features/items/rules/item-content.ts';
import type { Item } from '../../features/items/rules/item.ts';
import { updateItem } from '../../features/items/rules/upsert-item.ts';
import { theService } from '../../features/items/rules/journal.ts';
import { anItem, later, noon } from '../support/an-item.ts';
import { anItemRequest } from '../support/an-item-request.ts';
import { toldBy } from '../support/told-by.ts';
import { checkProperty } from '../support/check-property.ts';

const plateOnly = { slug: 'vehicles', attributes: { registrationPlate: 'MLB84A' } } as const;
const volvo = { make: 'Volvo', model: 'V60', year: 2021 };
const foundVolvo: Finding = { part: 'vehicle', plate: 'MLB84A', answer: volvo };
const unansweredVehicle: Finding = { part: 'vehicle', plate: 'MLB84A', answer: 'unanswered' };

/** An item that is not to be published, so that no category is owed. */
const anItemWith = (content: Partial<ItemContent>): Item =>
  anItem({ content: anItemRequest(content).content, wantedPublication: 0, enrichment: noEnrichment });
const aVehicle = (attributes: object = {}): Item =>
  anItemWith({ domain: { slug: 'vehicles', attributes: { ...plateOnly.attributes, ...attributes } } });
const improvable = (): Item => anItemWith({ title: 'volvo v70', description: 'fin', useAiEnhancement: true });
const of = { title: 'volvo v70', description: 'fin' };
const better = { title: 'Volvo V70', description: 'Fin.' };
const push = (item: Item, content: Partial<ItemContent>): Item =>
  updateItem(item, anItemRequest({ ...item.content, ...content }), { now: later(1_000), actor: theService });

// specification: a-vehicle-with-the
test('a vehicle that came with the plate alone is looked up; one with make, model or year is not', (t) => {
  t.deepEqual(owedEnrichment(aVehicle()), ['vehicle']);
  t.deepEqual(owedEnrichment(aVehicle({ mileageKm: 9_000, color: 'blå' })), ['vehicle']);
  for (const given of [{ make: 'Saab' }, { model: '900' }, { year: 1990 }])
    t.deepEqual(owedEnrichment(aVehicle(given)), []);
});

test('what was found by the plate is shown, and the caller’s own content stays as it was pushed', (t) => {
  const before = aVehicle({ mileageKm: 9_000 });
  const item = recordFinding(before, foundVolvo, noon);
  t.deepEqual(effectiveContent(item).domain?.attributes, { registrationPlate: 'MLB84A', mileageKm: 9_000, ...volvo });
  t.is(item.content, before.content);
  t.is(push(item, {}), item);
  t.is(item.contentNumber, before.contentNumber + 1);
  t.is(item.revision, before.revision);
  t.deepEqual(owedEnrichment(item), []);
  t.like(item.journal.at(-1), { kind: 'enriched', actor: theService });
  t.regex(toldBy(item), /Volvo V60 \(2021\)/);
});

// specification: a-vehicle-with-the
test('once the caller names the make, what was found is shown no more', (t) => {
  const domain = { slug: 'vehicles', attributes: { registrationPlate: 'MLB84A', make: 'VOLVO' } } as const;
  const item = push(recordFinding(aVehicle(), foundVolvo, noon), { domain });
  t.deepEqual(effectiveContent(item).domain, domain);
});

test('a finding about content that was changed meanwhile is dropped', (t) => {
  const otherPlate = push(aVehicle(), { domain: { slug: 'vehicles', attributes: { registrationPlate: 'AAA000' } } });
  t.is(recordFinding(otherPlate, foundVolvo, noon), otherPlate);
  const otherText = push(improvable(), { title: 'saab 900' });
  t.is(recordFinding(otherText, { part: 'text', of, answer: better }, noon), otherText);
  const noLonger = push(improvable(), { useAiEnhancement: false });
  t.is(recordFinding(noLonger, { part: 'text', of, answer: better }, noon), noLonger);
});

test('a finding recorded twice changes nothing the second time', (t) => {
  const item = recordFinding(aVehicle(), foundVolvo, noon);
  t.is(recordFinding(item, foundVolvo, noon), item);
});

test('a registry that did not answer is asked again after the next accepted write, not before', (t) => {
  const item = recordFinding(aVehicle(), unansweredVehicle, noon);
  t.deepEqual(owedEnrichment(item), []);
  t.is(item.contentNumber, 1);
  t.regex(toldBy(item), /did not answer/);
  const written = push(item, { priceOre: 99_900 });
  t.deepEqual(owedEnrichment(written), ['vehicle']);
  const again = recordFinding(written, unansweredVehicle, noon);
  t.deepEqual(owedEnrichment(again), []);
  t.is(again.journal.length, written.journal.length, 'said once');
  t.like(effectiveContent(recordFinding(written, foundVolvo, noon)).domain?.attributes, volvo);
});

test('a plate that the registry does not know is not asked for again', (t) => {
  const item = recordFinding(aVehicle(), { part: 'vehicle', plate: 'MLB84A', answer: null }, noon);
  t.deepEqual(owedEnrichment(push(item, { priceOre: 99_900 })), []);
  t.regex(toldBy(item), /does not know the plate/);
});

test('improved words are shown only for the text that they were made from, and only while they are wanted', (t) => {
  const item = recordFinding(improvable(), { part: 'text', of, answer: better }, noon);
  t.like(effectiveContent(item), better);
  t.like(effectiveContent(push(item, { description: 'rostig' })), { title: 'volvo v70', description: 'rostig' });
  t.deepEqual(owedEnrichment(push(item, { description: 'rostig' })), ['text']);
  t.like(effectiveContent(push(item, { useAiEnhancement: false })), of);
});

test('only an item that is to be published and that no table places gets a category', (t) => {
  const item = anItem({ enrichment: noEnrichment });
  t.deepEqual(owedEnrichment(item), ['category']);
  t.deepEqual(owedEnrichment({ ...item, wantedPublication: 0 }), []);
  t.deepEqual(owedEnrichment({ ...item, content: { ...item.content, domain: { slug: 'books', attributes: {} } } }), []);
  const placed = recordFinding(item, { part: 'category', title: item.content.title, categoryId: 533 }, noon);
  t.deepEqual(owedEnrichment(placed), []);
  t.is(placed.enrichment.category?.categoryId, 533);
});

const anyText = fc.string({ maxLength: 20 });
const anyItemText = fc.record({ title: anyText, description: anyText });
const fewPlates = fc.constantFrom('MLB84A', 'AAA000');
const anyAttributes = fc.record(
  {
    registrationPlate: fewPlates,
    make: anyText,
    model: anyText,
    year: fc.integer(),
    mileageKm: fc.nat(),
    color: anyText,
    vehicle: fc.dictionary(anyText, anyText),
  },
  { requiredKeys: [] },
);
const anyContent = fc.record({
  title: anyText,
  description: anyText,
  priceOre: fc.nat(),
  currency: fc.constant('SEK' as const),
  shippingCostOre: fc.option(fc.nat()),
  weightKg: fc.option(fc.nat()),
  useAiEnhancement: fc.boolean(),
  listing: fc.constant(null),
  quantity: fc.constant(null),
  imageUrls: fc.array(fc.webUrl(), { maxLength: 3 }),
  domain: fc.option(
    fc.record({
      slug: fc.oneof(fc.constant('vehicles' as const), fc.constantFrom(...domainSlugs)),
      attributes: anyAttributes,
    }),
  ),
});
const anyAnswer = <Found>(found: fc.Arbitrary<Found>) =>
  fc.oneof(found, fc.constant(null), fc.constant('unanswered' as const));
const anyFinding = (content: ItemContent): fc.Arbitrary<Finding> => {
  const { title, description } = content;
  const vehicle = fc.record({ make: anyText, model: anyText, year: fc.integer() });
  return fc.oneof(
    fc.record({
      part: fc.constant('text' as const),
      of: fc.oneof(fc.constant({ title, description }), anyItemText),
      answer: anyAnswer(anyItemText),
    }),
    fc.record({ part: fc.constant('vehicle' as const), plate: fewPlates, answer: anyAnswer(vehicle) }),
    fc.record({ part: fc.constant('category' as const), title: fc.constant(title), categoryId: fc.nat() }),
  );
};
const anyCase = anyContent.chain((content) =>
  fc.record({ content: fc.constant(content), findings: fc.array(anyFinding(content), { maxLength: 6 }) }),
);

test('whatever was found, price, images and the caller’s own attributes are shown as they were given', async (t) => {
  await checkProperty(
    t,
    fc.property(anyCase, ({ content, findings }) => {
      const item = findings.reduce(
        (enriched, finding) => recordFinding(enriched, finding, noon),
        anItem({ content, enrichment: noEnrichment }),
      );
      const { title: _title, description: _description, domain, ...rest } = effectiveContent(item);
      const { title: _ownTitle, description: _ownDescription, domain: ownDomain, ...ownRest } = content;
      t.deepEqual(rest, ownRest);
      t.is(domain?.slug, ownDomain?.slug);
      for (const [key, value] of Object.entries(ownDomain?.attributes ?? {})) t.is(domain?.attributes[key], value);
      t.is(item.content, content);
      if (!content.useAiEnhancement) t.like(effectiveContent(item), { title: content.title });
    }),
  );
});

test('answering what is owed, however it is answered, leaves nothing owed', async (t) => {
  await checkProperty(
    t,
    fc.property(anyCase, fc.boolean(), ({ content }, isAnswered) => {
      const item = anItem({ content, enrichment: noEnrichment });
      const enriched = owedEnrichment(item).reduce(
        (before, part) => recordFinding(before, findingOf(part, content, isAnswered), noon),
        item,
      );
      t.deepEqual(owedEnrichment(enriched), []);
    }),
  );
});

function findingOf(part: keyof Enrichment, { title, description, domain }: ItemContent, isAnswered: boolean): Finding {
  const plate = String(domain?.attributes['registrationPlate']);
  switch (part) {
    case 'text':
      return { part, of: { title, description }, answer: isAnswered ? better : 'unanswered' };
    case 'vehicle':
      return { part, plate, answer: isAnswered ? volvo : 'unanswered' };
    case 'category':
      return { part, title, categoryId: 533 };
  }
}
