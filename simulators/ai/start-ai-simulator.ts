import { randomBytes } from 'node:crypto';
import express, { type Request, type Router } from 'express';
import type { OpenAI } from 'openai';
import { createClock, type Clock } from '../kit/clock.ts';
import { fieldsOf, isObject, Refusal, type Fields } from '../kit/fields.ts';
import { jsonBodyOf } from '../kit/request-body.ts';
import { startSimulator, type RunningSimulator } from '../kit/start-simulator.ts';
import { answerForSchema, knownValues } from './answer-for-schema.ts';
import { requireStrictSchema } from './strict-schema.ts';

export interface AiSimulatorOptions {
  readonly port?: number | undefined;
  /** The key that callers must send as Bearer; any when absent. */
  readonly apiKey?: string | undefined;
}

interface PreparedAnswer {
  /** Absent: matches every prompt. */
  readonly contains: string | undefined;
  readonly answer: unknown;
}

/**
 * A language model with the interface of OpenAI's chat completions. It gives prepared answers, else one that fits the
 * requested schema.
 */
export async function startAiSimulator(options: AiSimulatorOptions = {}): Promise<RunningSimulator> {
  const answers: PreparedAnswer[] = [];
  const clock = createClock();
  return startSimulator({
    name: 'AI',
    port: options.port,
    clock,
    routes: completionRoutes({ answers, clock, apiKey: options.apiKey }),
    admin: answerRoutes(answers),
    errorBody: ({ code, message }) => ({ error: { message, type: 'invalid_request_error', code, param: null } }),
  });
}

function completionRoutes(parts: {
  answers: readonly PreparedAnswer[];
  clock: Clock;
  apiKey: string | undefined;
}): Router {
  const { answers, clock, apiKey } = parts;
  const router = express.Router();
  router.post('/v1/chat/completions', (request, response) => {
    checkKey(request, apiKey);
    const fields = fieldsOf(jsonBodyOf(request));
    const model = fields.text('model', { min: 1, max: 200 });
    if (fields.has('stream') && fields.flag('stream'))
      throw new Refusal(400, 'unsupported_value', 'stream is not supported');
    const messages = readMessages(fields);
    requireStrictSchema(fields.raw('response_format'));
    const content = contentFor(fields, messages, answers);
    response.json(completion({ model, content, messages, created: Math.floor(clock.now() / 1000) }));
  });
  return router;
}

/** The newest prepared answer that matches wins, so that a test can override an earlier one. */
function answerRoutes(answers: PreparedAnswer[]): Router {
  const router = express.Router();
  router.post('/answers', (request, response) => {
    const fields = fieldsOf(jsonBodyOf(request));
    if (!fields.has('answer')) throw new Refusal(400, 'InvalidRequest', 'answer must be a JSON object or text');
    answers.unshift({
      contains: fields.has('contains') ? fields.text('contains') : undefined,
      answer: fields.raw('answer'),
    });
    response.status(201).json({ answers: answers.length });
  });
  router.delete('/answers', (_request, response) => {
    answers.length = 0;
    response.status(204).end();
  });
  return router;
}

interface Message {
  readonly role: string;
  readonly text: string;
}

function readMessages(fields: Fields): readonly Message[] {
  const messages = fields.list('messages').map((message, index) => {
    const parts = fieldsOf(message, { prefix: `messages.${index}.` });
    return { role: parts.text('role', { min: 1, max: 50 }), text: textOf(parts.raw('content')) };
  });
  if (messages.length === 0) throw new Refusal(400, 'invalid_value', 'messages must not be empty');
  return messages;
}

/** Content is text or a list of parts, of which only text is read. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: unknown) => (isObject(part) && typeof part.text === 'string' ? part.text : '')).join('\n');
}

function contentFor(fields: Fields, messages: readonly Message[], answers: readonly PreparedAnswer[]): string {
  const whole = messages.map(({ text }) => [text, ...textsIn(text)].join('\n')).join('\n');
  const prepared = answers.find(({ contains }) => contains === undefined || whole.includes(contains));
  if (prepared !== undefined)
    return typeof prepared.answer === 'string' ? prepared.answer : JSON.stringify(prepared.answer);
  const prompt = messages.findLast(({ role }) => role === 'user')?.text ?? whole;
  const format = fields.raw('response_format');
  const wrapper = isObject(format) && isObject(format.json_schema) ? format.json_schema : undefined;
  return wrapper === undefined ? '{}' : JSON.stringify(answerForSchema(wrapper.schema, prompt));
}

/** Texts that the prompt carries as JSON, unescaped. */
const textsIn = (prompt: string): string[] =>
  Object.values(knownValues(prompt)).filter((value) => typeof value === 'string');

function completion(made: {
  model: string;
  content: string;
  messages: readonly Message[];
  created: number;
}): OpenAI.ChatCompletion {
  // Four characters per token are near enough for counting costs.
  const promptTokens = Math.ceil(made.messages.reduce((sum, { text }) => sum + text.length, 0) / 4);
  const completionTokens = Math.ceil(made.content.length / 4);
  return {
    id: `chatcmpl-${randomBytes(12).toString('hex')}`,
    object: 'chat.completion',
    created: made.created,
    model: made.model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: made.content, refusal: null },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
    },
  };
}

function checkKey(request: Request, apiKey: string | undefined): void {
  const given = (request.get('Authorization') ?? '').replace(/^Bearer /, '');
  if (given === '' || (apiKey !== undefined && given !== apiKey))
    throw new Refusal(401, 'invalid_api_key', 'Incorrect API key provided');
}
