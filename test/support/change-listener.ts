/** An event of a stream of changes. */
export interface Told {
  readonly event: string | undefined;
  readonly id: string | undefined;
  readonly data: {
    readonly changes?: readonly { readonly kind: string; readonly ids: readonly string[] | null }[];
    readonly reason?: string;
  };
}

/** One that listens to a stream, as a page does. */
export interface ChangeListener {
  readonly told: readonly Told[];
  /** All that came, as it came. */
  text(): string;
  lastId(): string;
  /** The first event that is so, of those that came and those to come. Throws when the stream ends before. */
  until(isSo: (told: Told) => boolean): Promise<Told>;
  readonly ended: Promise<void>;
  close(): void;
}

interface ListenOptions {
  readonly lastId?: string;
  readonly query?: string;
  readonly path?: string;
}

/** Resolves when the stream is ready. */
export async function listenTo(
  { url }: { readonly url: string },
  { token }: { readonly token: string },
  { lastId, query = '', path = '/partner/changes' }: ListenOptions = {},
): Promise<ChangeListener> {
  const stop = new AbortController();
  const response = await fetch(`${url}${path}${query}`, {
    headers: { authorization: `Bearer ${token}`, ...(lastId !== undefined && { 'last-event-id': lastId }) },
    signal: stop.signal,
  });
  if (!response.ok || response.body === null) throw new Error(`${response.status}: ${await response.text()}`);
  const told: Told[] = [];
  const waiting = new Set<() => void>();
  let [text, read, isOver] = ['', 0, false];
  const take = (): void => {
    for (let end = text.indexOf('\n\n', read); end !== -1; end = text.indexOf('\n\n', read)) {
      told.push(toldBy(text.slice(read, end)));
      read = end + 2;
    }
    for (const look of waiting) look();
  };
  const reading = async (body: ReadableStream<Uint8Array>): Promise<void> => {
    const decoder = new TextDecoder();
    try {
      for await (const bytes of body) {
        text += decoder.decode(bytes, { stream: true });
        take();
      }
    } finally {
      isOver = true;
      take();
    }
  };
  const ended = reading(response.body).catch((error: unknown) => {
    if (!stop.signal.aborted) throw error;
  });
  ended.catch(() => undefined);
  const until = (isSo: (one: Told) => boolean): Promise<Told> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = told.find(isSo);
        if (found === undefined && !isOver) return;
        waiting.delete(look);
        if (found === undefined) reject(new Error(`the stream has ended: ${text}`));
        else resolve(found);
      };
      waiting.add(look);
      look();
    });
  await until(({ event }) => event === 'ready');
  const ids = (): string[] => told.flatMap(({ id }) => id ?? []);
  return { told, text: () => text, lastId: () => ids().at(-1) ?? '', until, ended, close: () => stop.abort() };
}

function toldBy(block: string): Told {
  const field = (name: string): string | undefined => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
  return { event: field('event'), id: field('id'), data: JSON.parse(field('data') ?? '{}') as Told['data'] };
}
