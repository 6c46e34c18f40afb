import { inspect } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import type { OpenAI } from 'openai';
import { createModelClassifier } from '../../gateways/ai/model-classifier.ts';
import { createModelTextImprover } from '../../gateways/ai/model-text-improver.ts';
import { createOpenAiModel } from '../../gateways/ai/openai-model.ts';
import { AiUnavailable, type AiProblem } from '../../gateways/ai/port.ts';
import { accountId } from '../../features/rules/ids.ts';
import { startHttp } from './support/local-server.ts';
import { anAi, testKey } from './support/ai-simulator.ts';

const choices = [
  { id: 'watches', words: ['Klockor', 'Watches'] },
  { id: 'art', words: ['Konst', 'Art'] },
];
const asked = { accountId: accountId('a'), domain: 'Klockor' };
const given = { ...asked, title: 'gammal  klocka', description: 'Hemlig text om en klocka.' };

async function aModel(t: ExecutionContext, options: { timeoutMs?: number; apiKey?: string } = {}) {
  const ai = await anAi(t);
  const model = createOpenAiModel({ url: ai.url, apiKey: testKey, model: 'm-1', timeoutMs: 5_000, ...options });
  return { ...ai, classifier: createModelClassifier(model), improver: createModelTextImprover(model) };
}

/** Fails with this problem, and neither key, text nor answer is in anything that could be logged. */
async function isUnavailable(t: ExecutionContext, attempt: Promise<unknown>, problem: AiProblem): Promise<void> {
  const error = await t.throwsAsync(attempt, { instanceOf: AiUnavailable });
  t.is(error?.problem, problem);
  const shown = inspect(error, { depth: 10 });
  for (const secret of [testKey, 'Hemlig', 'LÄCKA']) t.false(shown.includes(secret), shown);
}

test('the classifier answers the id that the model chose, or null', async (t) => {
  const { classifier, prepare } = await aModel(t);
  await prepare({ category: 'art' }, 'Oljemålning');
  await prepare({ category: null }, 'Presentkort');
  t.is(await classifier.classify({ text: 'Oljemålning "Fjällsjö"', choices }), 'art');
  t.is(await classifier.classify({ text: 'Presentkort', choices }), null);
});

test('without a prepared answer the simulated model chooses something that was offered', async (t) => {
  const { classifier } = await aModel(t);
  t.is(await classifier.classify({ text: 'Vad som helst', choices }), 'watches');
});

for (const [what, answer] of [
  ['an id outside the choices', { category: 'LÄCKA' }],
  ['a key of Object.prototype', { category: '__proto__' }],
  ['another form', { slug: 'art' }],
  ['a bare text', '"art"'],
  ['no JSON', 'LÄCKA: I think it is art'],
] as const) {
  test(`the classifier refuses ${what}`, async (t) => {
    const { classifier, prepare } = await aModel(t);
    await prepare(answer);
    await isUnavailable(t, classifier.classify({ text: 'Hemlig', choices }), 'unusable_answer');
  });
}

test('the improver answers the text of the model, trimmed, and nothing else that came along', async (t) => {
  const { improver, prepare } = await aModel(t);
  await prepare({ title: ' Gammal klocka ', description: 'En fin klocka.\nGår bra.', price: 1 }, 'gammal  klocka');
  t.deepEqual(await improver.improve(given), { title: 'Gammal klocka', description: 'En fin klocka.\nGår bra.' });
});

test('without a prepared answer the simulated model only tidies the text', async (t) => {
  const { improver } = await aModel(t);
  const text = { ...asked, title: ' gammal  "klocka" ', description: 'går  bra \n\nsäljs  billigt' };
  const tidied = { title: 'Gammal "klocka"', description: 'Går bra\n\nsäljs billigt' };
  t.deepEqual(await improver.improve(text), tidied);
  t.deepEqual(await improver.improve({ ...text, description: '' }), { ...tidied, description: '' });
});

for (const [what, answer] of [
  ['a title of 256 characters', { title: 'å'.repeat(256), description: '' }],
  ['a description over the limit', { title: 'Klocka', description: 'x'.repeat(20_001) }],
  ['an empty title', { title: '', description: 'LÄCKA' }],
  ['a blank title', { title: '  \n', description: '' }],
  ['no description', { title: 'LÄCKA' }],
  ['NUL characters', { title: 'Klocka\0', description: '' }],
  ['a link that the seller did not write', { title: 'Klocka', description: 'Se https://evil.example/LÄCKA' }],
  ['an address that the seller did not write', { title: 'Klocka', description: 'Skriv till a@evil.example' }],
  ['markup that the seller did not write', { title: 'Klocka', description: '<script>LÄCKA</script>' }],
] as const) {
  test(`the improver refuses ${what}`, async (t) => {
    const { improver, prepare } = await aModel(t);
    await prepare(answer);
    await isUnavailable(t, improver.improve(given), 'unusable_answer');
  });
}

test('the improver keeps a link that the seller wrote', async (t) => {
  const { improver, prepare } = await aModel(t);
  const description = 'Mer på https://seller.example/1';
  await prepare({ title: 'Klocka', description });
  t.deepEqual(await improver.improve({ ...given, description }), { title: 'Klocka', description });
});

const completion: OpenAI.ChatCompletion = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'm-1',
  choices: [
    { index: 0, finish_reason: 'stop', logprobs: null, message: { role: 'assistant', content: null, refusal: null } },
  ],
};
const choice = (change: Partial<OpenAI.ChatCompletion.Choice>): OpenAI.ChatCompletion['choices'] =>
  completion.choices.map((one) => ({ ...one, ...change }));
const said = (content: string | null, refusal: string | null = null): OpenAI.ChatCompletionMessage => ({
  role: 'assistant',
  content,
  refusal,
});

// Each in the types that the maker's package has for them.
for (const [what, choices] of [
  ['a refusal of the model', choice({ message: said(null, 'LÄCKA: I can’t help with that') })],
  ['an answer that was cut off', choice({ finish_reason: 'length', message: said('{"title":"LÄCKA') })],
  ['an answer that was filtered away', choice({ finish_reason: 'content_filter', message: said('') })],
  ['no choice at all', []],
] as const) {
  test(`${what} is "unusable_answer"`, async (t) => {
    const server = await startHttp((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ ...completion, choices }));
    });
    t.teardown(() => server.close());
    const model = createOpenAiModel({ url: server.url, apiKey: testKey, model: 'm-1', timeoutMs: 5_000 });
    await isUnavailable(t, createModelTextImprover(model).improve(given), 'unusable_answer');
  });
}

for (const [what, fault, problem] of [
  ['500', { mode: 'status', status: 500 }, 'overloaded'],
  ['429', { mode: 'status', status: 429 }, 'overloaded'],
  ['400', { mode: 'status', status: 400 }, 'refused'],
  ['garbage', { mode: 'garbage' }, 'unusable_answer'],
  ['a lost connection', { mode: 'drop-before' }, 'unreachable'],
] as const) {
  test(`${what} from the model's server is "${problem}", after one call`, async (t) => {
    const { improver, fail, callCount } = await aModel(t);
    await fail(fault);
    await isUnavailable(t, improver.improve(given), problem);
    t.is(await callCount(), 1);
  });
}

test('a model that answers too late is given up at the time-out', async (t) => {
  const { improver, fail } = await aModel(t, { timeoutMs: 200 });
  await fail({ mode: 'delay', delayMs: 10_000 });
  await isUnavailable(t, improver.improve(given), 'timeout');
});

test('a wrong key is "refused" and shown nowhere', async (t) => {
  const { improver } = await aModel(t, { apiKey: `${testKey}-wrong` });
  await isUnavailable(t, improver.improve(given), 'refused');
});

test('a server that nobody listens on is "unreachable"', async (t) => {
  const model = createOpenAiModel({ url: 'http://127.0.0.1:1/v1', apiKey: '', model: 'm', timeoutMs: 2_000 });
  await isUnavailable(t, createModelTextImprover(model).improve(given), 'unreachable');
});

test('an endless answer is cut off, and a redirect is not followed', async (t) => {
  const server = await startHttp((request, response) => {
    if (request.url?.startsWith('/moved/') === true) {
      response.writeHead(307, { location: '/v1/chat/completions' }).end();
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    const write = (): void => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
      response.once('drain', write);
    };
    write();
  });
  t.teardown(() => server.close());
  const improverAt = (url: string) =>
    createModelTextImprover(createOpenAiModel({ url, apiKey: '', model: 'm', timeoutMs: 5_000 }));
  await isUnavailable(t, improverAt(`${server.url}/v1`).improve(given), 'unusable_answer');
  await isUnavailable(t, improverAt(`${server.url}/moved`).improve(given), 'unreachable');
});

test('a key travels by HTTPS or on loopback only', (t) => {
  const at = (url: string, apiKey: string) => () => createOpenAiModel({ url, apiKey, model: 'm', timeoutMs: 1 });
  t.throws(at('http://models.example/v1', 'key'), { message: /HTTPS/ });
  t.notThrows(at('https://models.example/v1', 'key'));
  t.notThrows(at('http://models.internal/v1', ''));
});
