import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import { Agent, fetch } from 'undici';

let agent = new Agent();

/** Makes this process trust the authority from now on, because Node reads NODE_EXTRA_CA_CERTS only at its start. */
export function trustAuthority(caFile: string): void {
  agent = new Agent({ connect: { ca: [...rootCertificates, readFileSync(caFile, 'utf8')] } });
}

export interface JsonCall {
  readonly method: string;
  readonly url: string;
  readonly token?: string | undefined;
  readonly body?: unknown;
  /** Accepted statuses; by default every 2xx. */
  readonly accept?: readonly number[];
}

export interface JsonAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * One JSON call, as an outside program makes it. Throws with method, address, status and answer for a status that is
 * not accepted.
 */
export async function callJson({ method, url, token, body, accept }: JsonCall): Promise<JsonAnswer> {
  const response = await fetch(url, {
    method,
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    dispatcher: agent,
    signal: AbortSignal.timeout(30_000),
  });
  const text = await response.text();
  const isAccepted = accept === undefined ? response.ok : accept.includes(response.status);
  if (!isAccepted) throw new Error(`${method} ${url} answered ${String(response.status)}: ${text.slice(0, 300)}`);
  const parsed: unknown = text === '' ? {} : JSON.parse(text);
  return { status: response.status, body: typeof parsed === 'object' && parsed !== null ? { ...parsed } : {} };
}

/** A text field of an answer. Throws when it is missing. */
export function textOf(answer: JsonAnswer, field: string): string {
  const value = answer.body[field];
  if (typeof value !== 'string') throw new Error(`the answer has no ${field}: ${Object.keys(answer.body).join(', ')}`);
  return value;
}
