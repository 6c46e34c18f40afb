import test from 'ava';
import { accountId } from '../../features/rules/ids.ts';
import { pino } from 'pino';
import { createEmbeddedClassifier } from '../../gateways/ai/embedded-classifier.ts';
import { AiUnavailable, type CategoryClassifier } from '../../gateways/ai/port.ts';
import { domainChoices, classifyItem, convertCategory, improveText } from '../../features/listings/categories.ts';

const embedded = createEmbeddedClassifier();
const fallbackCategoryId = 536;
const answering = (id: string | null): CategoryClassifier => ({ classify: async () => id });
const failing = (error: Error): CategoryClassifier => ({ classify: () => Promise.reject(error) });
const overloaded = new AiUnavailable('overloaded', 'HTTP 503');

/** Dependencies around a classifier, and the log lines they write. */
function around(classifier: CategoryClassifier) {
  const lines: Record<string, unknown>[] = [];
  const logger = pino({}, { write: (line: string) => lines.push(JSON.parse(line) as Record<string, unknown>) });
  return { dependencies: { classifier, embedded, fallbackCategoryId, logger }, lines };
}

test('an item is published in the outbound category of the domain that its text is about', async (t) => {
  const { dependencies } = around(embedded);
  for (const [title, categoryId] of [
    ['Skruvdragare Makita', 541],
    ['Guldring med diamant', 531],
    ['Bromsskiva Volvo', 520],
  ] as const) {
    t.is(await classifyItem(dependencies, { title, description: '' }), categoryId, title);
  }
});

test('an item that no domain fits is published in the fallback category', async (t) => {
  t.is(await classifyItem(around(answering(null)).dependencies, { title: 'x', description: '' }), fallbackCategoryId);
  t.is(await classifyItem(around(embedded).dependencies, { title: '???', description: '' }), fallbackCategoryId);
});

test('without a working model the embedded classifier chooses, and one line says so without the text', async (t) => {
  for (const error of [overloaded, new TypeError('Skruvdragare is not a function')]) {
    const { dependencies, lines } = around(failing(error));
    t.is(await classifyItem(dependencies, { title: 'Skruvdragare Makita', description: 'hemligt' }), 541);
    t.is(lines.length, 1);
    t.like(lines[0], { level: 40, msg: 'ai.unavailable', task: 'classify' });
    t.false(/Skruvdragare|hemligt/.test(JSON.stringify(lines)));
  }
});

test('every domain but other can be chosen', (t) => {
  t.is(domainChoices.length, 17);
  t.false(domainChoices.some(({ id }) => id === 'other'));
});

test('a text is improved by the model, which hears the Swedish name of the domain', async (t) => {
  const { dependencies, lines } = around(embedded);
  const improver = {
    improve: async ({ title, domain }: { title: string; domain: string }) => ({
      title: `${domain}: ${title}`,
      description: '',
    }),
  };
  const improved = await improveText(
    { ...dependencies, improver },
    { accountId: accountId('a'), title: 'k', description: 'd', domain: 'watches' },
  );
  t.deepEqual(improved, { title: 'Klockor: k', description: '' });
  t.deepEqual(lines, []);
});

test('without a working model there is no improved text, and one line says so without the text', async (t) => {
  const text = { accountId: accountId('a'), title: 'Hemlig', description: 'Hemligt', domain: 'art' } as const;
  for (const [improver, problem] of [
    [null, 'not_configured'],
    [{ improve: () => Promise.reject(overloaded) }, 'overloaded'],
    [{ improve: () => Promise.reject(new RangeError('Hemlig')) }, 'unexpected'],
  ] as const) {
    const { dependencies, lines } = around(embedded);
    t.is(await improveText({ ...dependencies, improver }, text), null);
    t.is(lines.length, 1);
    t.like(lines[0], { level: 40, msg: 'ai.unavailable', task: 'improve', problem });
    t.false(JSON.stringify(lines).includes('Hemlig'));
  }
});

test('a marketplace id without a name is other, and nobody is asked', async (t) => {
  const { dependencies } = around(failing(new Error('nobody should ask')));
  const answer = await convertCategory(dependencies, { from: 'marketplace', categoryId: 987_654 });
  t.like(answer, { serviceCategory: 'other', confidence: 0.75, aiConverted: true });
});

// specification: other-goes-to-the
test('a failing model does not fail a conversion', async (t) => {
  const { dependencies } = around(failing(overloaded));
  t.like(await convertCategory(dependencies, { from: 'marketplace', categoryId: 16 }), { serviceCategory: 'fashion' });
  t.like(await convertCategory(dependencies, { from: 'service', slug: 'other' }), { externalId: '536' });
});

// specification: other-goes-to-the
test('the model decides on other when there is one', async (t) => {
  const answer = await convertCategory(around(answering('tools')).dependencies, { from: 'service', slug: 'other' });
  t.like(answer, { serviceCategory: 'other', externalId: '541', market: 'marketplace', confidence: 0.75 });
});
