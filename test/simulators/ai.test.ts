import test, { type ExecutionContext } from 'ava';
import { startAiSimulator } from '../../simulators/ai/start-ai-simulator.ts';
import { call } from './support/call.ts';

async function anAi(t: ExecutionContext) {
  const ai = await startAiSimulator();
  t.teardown(() => ai.close());
  const ask = async (prompt: string, schema?: unknown) => {
    const body = {
      model: 'm',
      messages: [
        { role: 'system', content: 'Answer in JSON.' },
        { role: 'user', content: prompt },
      ],
      ...(schema !== undefined && {
        response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } },
      }),
    };
    const answer = await call('POST', `${ai.url}/v1/chat/completions`, {
      body,
      headers: { authorization: 'Bearer k' },
    });
    return JSON.parse(
      answer.json<{ choices: [{ message: { content: string } }] }>().choices[0].message.content,
    ) as unknown;
  };
  return { ...ai, ask, prepare: (body: unknown) => call('POST', `${ai.adminUrl}/answers`, { body }) };
}

test('answers what was prepared for the words in the prompt, the newest first', async (t) => {
  const { ask, prepare } = await anAi(t);
  await prepare({ answer: { slug: 'other' } });
  await prepare({ contains: 'klocka', answer: { slug: 'watches' } });
  t.deepEqual(await ask('En fin klocka'), { slug: 'watches' });
  t.deepEqual(await ask('En fin stol'), { slug: 'other' });
});

test('without a prepared answer it fills the schema: first of an enum, text from the prompt', async (t) => {
  const { ask } = await anAi(t);
  const schema = {
    type: 'object',
    properties: {
      slug: { enum: ['art', 'books'] },
      title: { type: 'string', maxLength: 10 },
      confidence: { type: 'number', minimum: 0.5 },
      tags: { type: 'array', items: { type: 'string' } },
    },
  };
  t.deepEqual(await ask('En fin gammal stol', schema), { slug: 'art', title: 'En fin gam', confidence: 0.5, tags: [] });
  t.like(await ask('Improve {"title": "Stol", "slug": "books"}', schema), { slug: 'books', title: 'Stol' });
});

const strictly = (schema: object, name = 'answer') => ({
  model: 'm',
  messages: [{ role: 'user', content: 'Stol' }],
  response_format: { type: 'json_schema', json_schema: { name, strict: true, schema } },
});
const strict = {
  type: 'object',
  properties: { slug: { type: 'string' } },
  required: ['slug'],
  additionalProperties: false,
};

test('a strict schema is taken as OpenAI takes it: all required, nothing else allowed, a plain name', async (t) => {
  const { url } = await anAi(t);
  const statusOf = async (body: object) =>
    (await call('POST', `${url}/v1/chat/completions`, { body, headers: { authorization: 'Bearer k' } })).status;
  t.is(await statusOf(strictly(strict)), 200);
  t.is(await statusOf(strictly(strict, 'an answer')), 400);
  const inner = (change: object) => ({ ...strict, properties: { slug: { ...strict, ...change } } });
  t.is(await statusOf(strictly(inner({}))), 200);
  for (const change of [{ required: [] }, { additionalProperties: true }, { additionalProperties: undefined }])
    for (const schema of [{ ...strict, ...change }, inner(change)]) t.is(await statusOf(strictly(schema)), 400);
  t.is(await statusOf(strictly({ type: 'array', items: strict })), 400);
});

test('401 without a key, 400 without messages', async (t) => {
  const { url } = await anAi(t);
  t.is((await call('POST', `${url}/v1/chat/completions`, { body: {} })).status, 401);
  const headers = { authorization: 'Bearer k' };
  t.is((await call('POST', `${url}/v1/chat/completions`, { body: { model: 'm', messages: [] }, headers })).status, 400);
});
