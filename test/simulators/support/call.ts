import { request, type Dispatcher } from 'undici';

export interface Answer {
  readonly status: number;
  readonly headers: Dispatcher.ResponseData['headers'];
  readonly text: string;
  /** The body as JSON; throws when it is none. */
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the caller says what it expects
  json<Body = Record<string, unknown>>(): Body;
}

export interface CallOptions {
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  /** For servers with a certificate of the test's own. */
  readonly dispatcher?: Dispatcher;
}

/** One call without retries: `await call('POST', url, { body })`. */
export async function call(method: Dispatcher.HttpMethod, url: string, options: CallOptions = {}): Promise<Answer> {
  const { headers = {}, body, dispatcher } = options;
  const response = await request(url, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(dispatcher !== undefined && { dispatcher }),
  });
  const text = await response.body.text();
  return {
    status: response.statusCode,
    headers: response.headers,
    text,
    // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- as the interface has it
    json: <Body>() => JSON.parse(text) as Body,
  };
}
