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

test('401 without a key, 400 without messages', async (t) => {
  const { url } = await anAi(t);
  t.is((await call('POST', `${url}/v1/chat/completions`, { body: {} })).status, 401);
  const headers = { authorization: 'Bearer k' };
  t.is((await call('POST', `${url}/v1/chat/completions`, { body: { model: 'm', messages: [] }, headers })).status, 400);
});
