import { resolve } from 'node:path';
import { undocumentedIn } from '../../../test/support/documented-answer.ts';
import type { RawAnswer } from './raw-call.ts';

export interface Expectation {
  readonly method: string;
  /** As it was called. */
  readonly path: string;
  /** Statuses that alone are right; by default any below 500. */
  readonly statuses?: readonly number[];
  /** It is no well-formed request or nothing that ends: closing the connection without a word is right too. */
  readonly mayClose?: boolean;
  /** How many requests it is at most; by default 1. */
  readonly answersMax?: number;
  /** Whoever asks for a page gets errors as a page. */
  readonly isPage?: boolean;
}

/** Where the answer is of no route: the HTTP server's own part refused what is no proper request. */
const ofNoRoute: ReadonlySet<number> = new Set([400, 404, 405, 408, 413, 417, 429, 431]);

/** Everything that is wrong with an answer; empty when nothing is. `secrets` must be in none. */
export function judge(answer: RawAnswer, expected: Expectation, secrets: readonly string[]): string[] {
  const { status } = answer;
  if (status === undefined) return judgeSilence(answer, expected);
  const problems: string[] = [];
  if (status >= 500) problems.push(`answered ${status}: ${answer.text.slice(0, 300)}`);
  if (expected.statuses !== undefined && !expected.statuses.includes(status))
    problems.push(`answered ${status} instead of ${expected.statuses.join(' or ')}: ${answer.text.slice(0, 300)}`);
  if (answer.answers > (expected.answersMax ?? 1))
    problems.push(`${answer.answers} answers to ${expected.answersMax ?? 1} requests`);
  if (status >= 400 && expected.isPage !== true) problems.push(...wrongErrorForm(answer, status));
  if (!ofNoRoute.has(status) && expected.isPage !== true)
    problems.push(...undocumentedIn({ ...answer, status, method: expected.method, path: expected.path }));
  return [...problems, ...leaksIn(answer, secrets)];
}

function judgeSilence({ isTimeout, durationMs, text }: RawAnswer, { mayClose }: Expectation): string[] {
  if (isTimeout) return [`neither answered nor closed within ${durationMs} ms`];
  if (mayClose === true) return [];
  return [`closed without an answer after ${durationMs} ms: ${text.slice(0, 100)}`];
}

/** Source: specification "Errors". */
function wrongErrorForm({ text, headers }: RawAnswer, status: number): string[] {
  const problems: string[] = [];
  if (headers.get('x-request-id') === null) problems.push(`${status} without X-Request-Id`);
  if (!(headers.get('content-type') ?? '').startsWith('application/json'))
    return [...problems, `${status} of type ${headers.get('content-type') ?? 'none'}`];
  const body = parsed(text);
  if (typeof body !== 'object' || body === null)
    return [...problems, `${status} whose body is no JSON: ${text.slice(0, 100)}`];
  const { error, code, statusCode, details, ...others } = body as Record<string, unknown>;
  if (typeof error !== 'string' || typeof code !== 'string' || statusCode !== status || Object.keys(others).length > 0)
    problems.push(`${status} beside the error form: ${text.slice(0, 200)}`);
  if (details !== undefined && !isDetails(details))
    problems.push(`details beside the error form: ${text.slice(0, 200)}`);
  return problems;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isDetails = (details: unknown): boolean =>
  Array.isArray(details) &&
  details.every(
    (one: unknown) =>
      typeof one === 'object' &&
      one !== null &&
      ['field', 'code', 'message'].every((name) => typeof Reflect.get(one, name) === 'string') &&
      typeof Reflect.get(one, 'params') === 'object',
  );

/** What only the inside of the service knows. In answers that are no errors a partner's own text may say any of it. */
const inside =
  /\n?\s+at .{1,200}:\d+:\d+|node_modules|node:internal|file:\/\/|\b(?:Type|Range|Syntax|Reference|Mongo\w*|BSON|Cast)Error\b|E11000|MongoServer|libvips|\bvips|temporal\.api|\$where/i;
/** Fields, ids and bare values that the caller itself has sent: their problems name them. */
const ownNames =
  /"field":"[^"]{0,300}"|external_id \\"[^"]{0,300}"|an object, such as \{[^}]{0,300}\}|"example":"\{[^}]{0,300}\}"/g;
const root = resolve('.');

function leaksIn({ text, status = 0, headers }: RawAnswer, secrets: readonly string[]): string[] {
  const everything = [...headers].map(([name, value]) => `${name}: ${value}`).join('\n') + text;
  const problems = secrets.some((secret) => everything.includes(secret)) ? ['a secret is in the answer'] : [];
  if (everything.includes(root)) problems.push('the path of the program is in the answer');
  const told = status >= 400 ? inside.exec(text.replace(ownNames, ''))?.[0] : undefined;
  if (told !== undefined)
    problems.push(`the answer tells of the inside: ${told.trim().slice(0, 100)} in ${text.slice(0, 300)}`);
  return problems;
}
