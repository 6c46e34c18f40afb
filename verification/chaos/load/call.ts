import type { Account } from '../world/account.ts';
import type { Journal } from './journal.ts';

export interface Answer {
  /** null: the connection broke, or nothing came in time. */
  readonly status: number | null;
  readonly text: string;
  /** The connection was there until the time was over. */
  readonly hasHung?: boolean;
}

/** Longer than all pauses together that one call can meet, and than the API waits for anything: who has no answer by then hangs. */
const callTimeoutMs = 60_000;

/** One try. Notes in the journal what came back. */
export async function tryCall(
  { url, account, journal }: { url: string; account: Account; journal: Journal },
  request: { method: string; body?: string; headers?: Readonly<Record<string, string>> },
): Promise<Answer> {
  const answer = await send(url, { ...request, headers: { ...account.headers, ...request.headers } });
  const kind = kindOf(answer.status);
  journal.tries[kind] += 1;
  if (kind === 'accepted') journal.acceptedAt.push(Date.now());
  if (answer.status === 500 || answer.hasHung === true)
    journal.badAnswers.push({
      at: Date.now(),
      call: `${request.method} ${new URL(url).pathname}`,
      status: answer.status,
    });
  return answer;
}

/** 429 and 5xx say nothing about whether it was done. */
export function kindOf(status: number | null): 'accepted' | 'refused' | 'unknown' {
  if (status === null || status >= 500 || status === 429) return 'unknown';
  return status < 300 ? 'accepted' : 'refused';
}

async function send(url: string, request: RequestInit): Promise<Answer> {
  try {
    const response = await fetch(url, { ...request, signal: AbortSignal.timeout(callTimeoutMs) });
    return { status: response.status, text: await response.text() };
  } catch (error) {
    return { status: null, text: '', hasHung: error instanceof Error && error.name === 'TimeoutError' };
  }
}
