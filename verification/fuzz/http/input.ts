import type { Expectation } from '../support/judge.ts';
import type { RawAnswer, RawCallOptions, Wire } from '../support/raw-call.ts';
import type { Seeded } from '../support/seeded.ts';

export interface Input {
  readonly wire: Wire;
  readonly expected: Expectation;
  readonly options?: RawCallOptions;
  /** What is wrong beyond the answer itself. */
  readonly after?: (answer: RawAnswer) => Promise<readonly string[]>;
}

/** One input, made when its turn comes: some are large. The same `random` gives the same input again. */
export interface Plan {
  /** Row of the table. */
  readonly kind: string;
  readonly name: string;
  /** Never beside others: it is large, or counts against a bound of its own. */
  readonly isAlone?: true;
  readonly make: (random: Seeded) => Input | Promise<Input>;
}

type Headers = Readonly<Record<string, string>>;

export interface HttpRequest {
  readonly method: string;
  /** Put on the wire as it is. */
  readonly path: string;
  readonly headers?: Headers;
  readonly body?: string | Buffer;
}

/** The bytes of a request, whose Content-Length is right unless the headers have another. */
export function requestBytes({ method, path, headers = {}, body }: HttpRequest): Buffer {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const own = { Host: 'fuzz.test', Connection: 'close', ...(bytes && { 'Content-Length': String(bytes.length) }) };
  const all = { ...own, ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  return bytes === undefined ? head : Buffer.concat([head, bytes]);
}

/** A well-formed request, whatever it says. */
export const asInput = (request: HttpRequest, statuses?: readonly number[]): Input => ({
  wire: requestBytes(request),
  expected: { method: request.method, path: request.path, ...(statuses && { statuses }) },
});
