import { problemsOf } from '../../gateways/marketplace/v4-check.ts';
import { v4Operations, type Operation, type OperationName } from '../../gateways/marketplace/v4-operations.ts';

// Compares what is sent and answered with the table of the marketplace's interface, of the adapter and of the simulator alike.

export interface SentRequest {
  readonly method: string;
  /** With its query: `/v4/orders?fromDate=…`. */
  readonly path: string;
  /** Absent: no body was sent. */
  readonly body?: unknown;
}

/** What is wrong with a request; empty when the table allows it. */
export function problemsOfRequest(sent: SentRequest): readonly string[] {
  const url = new URL(sent.path, 'http://marketplace.example');
  const name = operationOf(sent.method, url.pathname);
  if (name === undefined) return [`there is no operation ${sent.method} ${url.pathname}`];
  const operation: Operation = v4Operations[name];
  return [...problemsOfQuery(operation, url.searchParams), ...problemsOfBody(operation, sent.body)];
}

/** What is wrong with the answer to this operation; empty when it is a 200 as the table says, or a refusal. */
export function problemsOfAnswer(name: OperationName, answer: { status: number; text: string }): readonly string[] {
  const { answer: field }: Operation = v4Operations[name];
  if (answer.status >= 400) return problemsOf('answer', { type: 'ErrorAnswer' }, JSON.parse(answer.text));
  if (answer.status !== 200) return [`the status is ${answer.status}`];
  if (field === null) return answer.text === '' ? [] : [`a body came: ${answer.text}`];
  return problemsOf('answer', field, JSON.parse(answer.text));
}

/** The operation of this method and path, without its query. */
export function operationOf(method: string, pathname: string): OperationName | undefined {
  const names = Object.keys(v4Operations) as OperationName[];
  // Paths without a parameter come first: `items/prices` is no item.
  const exact = names.find((name) => v4Operations[name].method === method && v4Operations[name].path === pathname);
  return exact ?? names.find((name) => v4Operations[name].method === method && patternOf(name).test(pathname));
}

function patternOf(name: OperationName): RegExp {
  const { path } = v4Operations[name];
  const pattern = path.replaceAll('.', '[.]').replace('{orderIds}', String.raw`\d{1,10}(,\d{1,10})*`);
  return new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, String.raw`\d{1,10}`)}$`);
}

function problemsOfQuery({ query = {} }: Operation, sent: URLSearchParams): readonly string[] {
  return [...new Set(sent.keys())].flatMap((name) => {
    const field = Object.hasOwn(query, name) ? query[name] : undefined;
    if (field === undefined) return [`${name} is no name of this query`];
    const values = sent.getAll(name).map((text) => (/^int/.test(field.type) && text !== '' ? Number(text) : text));
    return problemsOf('request', field, field.list === true ? values : values.length === 1 ? values[0] : values);
  });
}

function problemsOfBody({ request }: Operation, body: unknown): readonly string[] {
  if (request === undefined) return body === undefined ? [] : ['a body was sent'];
  return problemsOf('request', { type: request }, body);
}
