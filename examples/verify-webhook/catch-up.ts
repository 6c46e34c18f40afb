// Reads what happened while your receiver was down, from the events feed. To copy: Node's built-ins only.
import type { WebhookEvent } from './verify.ts';

export interface CatchUpOptions {
  readonly apiUrl: string;
  readonly apiKey: string;
  /** Where you were: what `saveCursor` got last; null the first time. A reseller keeps one for each member, and adds `X-Partner-Account`. */
  readonly cursor: string | null;
  /** The same work as for a webhook: drops what it has, by eventId. */
  readonly take: (event: WebhookEvent) => Promise<void>;
  /** In the same database as your work. A crash between the two means that some events are taken twice. */
  readonly saveCursor: (cursor: string) => Promise<void>;
}

/** Takes everything that happened since the cursor, oldest first. Throws when it is cut off: call it again, it goes on where it was. */
export async function catchUp(options: CatchUpOptions): Promise<void> {
  let { cursor } = options;
  for (;;) {
    const { events, nextCursor } = await readPage(options, cursor);
    for (const event of events) await options.take(event);
    await options.saveCursor(nextCursor);
    if (events.length === 0) return;
    cursor = nextCursor;
  }
}

interface Page {
  readonly events: readonly WebhookEvent[];
  readonly nextCursor: string;
}

async function readPage(options: CatchUpOptions, cursor: string | null): Promise<Page> {
  const url = new URL('/integration/events', options.apiUrl);
  url.searchParams.set('limit', '500');
  if (cursor !== null) url.searchParams.set('after', cursor);
  const response = await fetch(url, { headers: { 'x-api-key': options.apiKey }, signal: AbortSignal.timeout(30_000) });
  // You were away for longer than events are kept, or the service was restored from a backup: begin with the oldest, and read the
  // state of your items besides.
  if (response.status === 410 && cursor !== null) return readPage(options, null);
  if (!response.ok) throw new Error(`the events feed answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Page;
}
