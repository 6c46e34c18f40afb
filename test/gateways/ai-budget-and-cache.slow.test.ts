import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';
import { composeAi } from '../../compose/gateways.ts';
import { loadConfig } from '../../compose/config.ts';
import { createAiCache, createPaidCalls } from '../../features/accounts/store/paid-calls.ts';
import { accountId } from '../../features/rules/ids.ts';
import { worldEnvironment } from '../support/world.ts';
import { anAi, testKey } from './support/ai-simulator.ts';
import { closeTestStore, openTestStore } from '../support/open-test-store.ts';
import { present } from '../support/clock.ts';

async function aStore(t: ExecutionContext) {
  const store = await openTestStore();
  t.teardown(async () => {
    await closeTestStore(store);
  });
  return store;
}

/** The use cases as production composes them, on settings of the environment. */
async function theAi(t: ExecutionContext, settings: Record<string, string> = {}) {
  const [ai, store] = await Promise.all([anAi(t), aStore(t)]);
  const config = loadConfig(
    worldEnvironment({
      MARKETPLACE_URL: 'http://127.0.0.1:1',
      AI_URL: ai.url,
      AI_API_KEY: testKey,
      AI_MODEL: 'm-1',
      ...settings,
    }),
  );
  return {
    ...ai,
    ...composeAi({ config, logger: pino({ level: 'silent' }), store, now: present }),
    store,
    config,
  };
}

const account = accountId('account');
const aText = (title: string) => ({ accountId: account, title, description: 'Text', domain: 'art' }) as const;

test('the same question is paid for once, another one again', async (t) => {
  const { improveText, prepare, callCount, store } = await theAi(t);
  await prepare({ title: 'Bättre', description: '' });
  for (const title of ['a', 'a', 'a'])
    t.deepEqual(await improveText(aText(title)), { title: 'Bättre', description: '' });
  t.is(await callCount(), 1);
  await improveText(aText('b'));
  t.is(await callCount(), 2);
  // So that it goes with the account (features/operations/rules/held-rows.ts).
  const kept = await store.connection.collection('ai_answers').find({ askedFor: account }).toArray();
  t.is(kept.length, 2);
});

test('AI_CACHE_DAYS 0 asks every time', async (t) => {
  const { improveText, prepare } = await theAi(t, { AI_CACHE_DAYS: '0' });
  for (const title of ['Ett', 'Två']) {
    await prepare({ title, description: '' });
    t.deepEqual(await improveText(aText('a')), { title, description: '' });
  }
});

test('an unusable answer is not kept: the next try may get a better one', async (t) => {
  const { improveText, prepare, callCount } = await theAi(t);
  await prepare({ title: '', description: '' });
  t.is(await improveText(aText('a')), null);
  await prepare({ title: 'Bättre', description: '' });
  t.deepEqual(await improveText(aText('a')), { title: 'Bättre', description: '' });
  t.is(await callCount(), 2);
});

test('beyond the budget nothing is sent, and what is known is still answered', async (t) => {
  const { improveText, classifyItem, callCount } = await theAi(t, { AI_CALLS_PER_DAY: '2', AI_CLASSIFIER: 'model' });
  t.truthy(await improveText(aText('a')));
  t.truthy(await improveText(aText('b')));
  t.is(await improveText(aText('c')), null);
  t.truthy(await improveText(aText('a')));
  // The embedded classifier stands in.
  t.is(await classifyItem({ title: 'Skruvdragare Makita', description: '' }), 541);
  t.is(await callCount(), 2);
});

test('a budget of no calls a minute sends none', async (t) => {
  const { improveText, callCount } = await theAi(t, { AI_CALLS_PER_MINUTE: '0' });
  t.is(await improveText(aText('a')), null);
  t.is(await callCount(), 0);
});

test('the model classifies by default, the embedded classifier where AI_CLASSIFIER says so', async (t) => {
  const item = { title: 'Skruvdragare Makita', description: '' };
  const byModel = await theAi(t);
  await byModel.prepare({ category: 'art' });
  t.is(await byModel.classifyItem(item), 516);
  const embedded = await theAi(t, { AI_CLASSIFIER: 'embedded' });
  t.is(await embedded.classifyItem(item), 541);
  t.is(await embedded.callCount(), 0);
});

test('without AI_URL items are classified and texts stay as they are', async (t) => {
  const { improveText, classifyItem, config } = await theAi(t, { AI_URL: '', AI_MODEL: '' });
  t.is(config.ai.classifier, 'embedded');
  t.is(await improveText(aText('a')), null);
  t.is(await classifyItem({ title: 'Skruvdragare Makita', description: '' }), 541);
});

test('the budget is one for all processes, refills by the minute and the day, and a full minute costs the day nothing', async (t) => {
  const store = await aStore(t);
  let at = new Date('2026-11-21T10:00:30Z');
  const limits = { callsPerMinute: 5, callsPerDay: 7 };
  const [one, other] = [createPaidCalls(store, () => at), createPaidCalls(store, () => at)];
  const waits = (): Promise<readonly number[]> =>
    Promise.all(Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? one : other).take('ai', limits)));
  const taken = async (): Promise<number> => (await waits()).filter((seconds) => seconds === 0).length;
  t.is(await taken(), 5);
  t.deepEqual([...new Set(await waits())], [30], 'until the minute is over');
  at = new Date('2026-11-21T10:01:00Z');
  t.is(await taken(), 2);
  at = new Date('2026-11-21T10:02:00Z');
  t.deepEqual([...new Set(await waits())].toSorted(), [60, 14 * 3_600 - 120].toSorted(), 'or the day');
  at = new Date('2026-11-22T00:00:00Z');
  t.is(await taken(), 5);
});

test('a cached answer expires after its days', async (t) => {
  const store = await aStore(t);
  let at = new Date('2026-11-21T10:00:00Z');
  const cache = createAiCache(store, { keptDays: 30, now: () => at });
  t.is(await cache.find('k'), undefined);
  await cache.store('k', { 'a.b': { $c: ['å'] } });
  t.deepEqual(await cache.find('k'), { 'a.b': { $c: ['å'] } });
  at = new Date('2026-12-21T10:00:01Z');
  t.is(await cache.find('k'), undefined);
});

test('settings that can not work are refused at start', (t) => {
  const load = (settings: Record<string, string>) => () =>
    loadConfig(worldEnvironment({ MARKETPLACE_URL: 'http://127.0.0.1:1', ...settings }));
  t.throws(load({ AI_URL: 'https://models.example/v1' }), { message: /AI_MODEL/ });
  t.throws(load({ AI_CLASSIFIER: 'model' }), { message: /AI_CLASSIFIER/ });
  t.throws(load({ AI_URL: 'https://models.example/v1', AI_MODEL: 'm', AI_CLASSIFIER: 'x' }), {
    message: /AI_CLASSIFIER/,
  });
});
