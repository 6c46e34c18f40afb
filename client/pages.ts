import type {
  AuditLog,
  Event,
  EventFeed,
  ListItemsData,
  ListAuditLogEntriesData,
  ListOrdersData,
  ItemList,
  ItemListEntry,
  Order,
  Timeline,
} from './generated/types.gen.ts';
import type { ItembridgeApi } from './generated/sdk.gen.ts';
import { waitOrAbort } from './retries.ts';

export interface PageOptions {
  readonly signal?: AbortSignal;
}

export interface FollowOptions extends PageOptions {
  /**
   * Pause in ms before asking for new events, without end (or until aborted). Without it the iteration ends with the
   * newest event.
   */
  readonly pollMs?: number;
  /** Events per page, 1 to 500; called before each page. 500 by default. */
  readonly pageSize?: () => number;
}

type QueryOf<Data extends { query?: unknown }> = Omit<NonNullable<Data['query']>, 'cursor' | 'after' | 'before'>;

/** Lists of the service as async iterators: the next page is requested when the one before is used up. */
export interface Pages {
  /**
   * Newest first, each once. With `updatedSince`: by the last change, oldest first; an item that changes meanwhile
   * comes again.
   */
  items(query?: QueryOf<ListItemsData>, options?: PageOptions): AsyncGenerator<ItemListEntry, void>;
  /**
   * Like `items`. With `updatedSince` the last page has `nextUpdatedSince`: store it once you have stored all pages.
   */
  itemPages(query?: QueryOf<ListItemsData>, options?: PageOptions): AsyncGenerator<ItemList, void>;
  /** Newest first. */
  timeline(externalId: string, options?: PageOptions): AsyncGenerator<Timeline['entries'][number], void>;
  /** Oldest first, after a cursor, or from the oldest event that is kept. */
  events(after?: string, options?: FollowOptions): AsyncGenerator<Event, void>;
  /** Like `events`, with the cursor of each page: store it once you have stored the page's events. */
  eventPages(after?: string, options?: FollowOptions): AsyncGenerator<EventFeed, void>;
  /** Newest first; needs a session. */
  auditLog(
    query?: QueryOf<ListAuditLogEntriesData>,
    options?: PageOptions,
  ): AsyncGenerator<AuditLog['entries'][number], void>;
  /** Newest first; needs a session. */
  orders(query?: QueryOf<ListOrdersData>, options?: PageOptions): AsyncGenerator<Order, void>;
}

type Read<Page> = (cursor: string | undefined) => Promise<{ readonly data: Page }>;

/** The lists of one client. */
export function createPages(api: ItembridgeApi): Pages {
  const itemPages: Pages['itemPages'] = (query, options) =>
    pages((cursor) => api.listItems({ ...options, query: { ...query, ...given({ cursor }) } }));
  return {
    items: (query, options) => entries(itemPages(query, options), 'items'),
    itemPages,
    timeline: (externalId, options) => timelineEntries(api, externalId, options),
    events: (after, options) => entries(eventPages(api, after, options), 'events'),
    eventPages: (after, options) => eventPages(api, after, options),
    auditLog: (query, options) =>
      entries(
        pages((cursor) => api.listAuditLogEntries({ ...options, query: { ...query, ...given({ cursor }) } })),
        'entries',
      ),
    orders: (query, options) =>
      entries(
        pages((cursor) => api.listOrders({ ...options, query: { ...query, ...given({ cursor }) } })),
        'orders',
      ),
  };
}

/** Reads pages until one has no next cursor. */
async function* pages<Page extends { readonly nextCursor: string | null }>(
  read: Read<Page>,
): AsyncGenerator<Page, void> {
  let cursor: string | undefined;
  do {
    const { data } = await read(cursor);
    yield data;
    cursor = data.nextCursor ?? undefined;
  } while (cursor !== undefined);
}

async function* entries<Name extends string, Entry>(
  from: AsyncIterable<Readonly<Record<Name, readonly Entry[]>>>,
  name: Name,
): AsyncGenerator<Entry, void> {
  for await (const page of from) yield* page[name];
}

async function* timelineEntries(
  api: ItembridgeApi,
  externalId: string,
  options?: PageOptions,
): AsyncGenerator<Timeline['entries'][number], void> {
  const path = { external_id: externalId };
  let before: number | undefined;
  do {
    const { data } = await api.getItemTimeline({ ...options, path, query: given({ before }) });
    yield* data.entries;
    before = data.nextBefore ?? undefined;
  } while (before !== undefined);
}

/** The feed always has a next cursor, so an empty page marks the end for now. */
async function* eventPages(
  api: ItembridgeApi,
  after: string | undefined,
  { pollMs, pageSize = () => 500, signal }: FollowOptions = {},
): AsyncGenerator<EventFeed, void> {
  let cursor = after;
  for (;;) {
    const { data } = await api.listEvents({
      ...(signal && { signal }),
      query: given({ after: cursor, limit: pageSize() }),
    });
    cursor = data.nextCursor;
    if (data.events.length > 0) yield data;
    else if (pollMs === undefined) return;
    else await waitOrAbort(pollMs, signal);
  }
}

/** Leaves out undefined parameters, which the generated client would write into the address. */
function given<Values extends Readonly<Record<string, string | number | undefined>>>(
  values: Values,
): { [Name in keyof Values]?: NonNullable<Values[Name]> } {
  const present = Object.entries(values).filter(([, value]) => value !== undefined);
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- fromEntries forgets the names
  return Object.fromEntries(present) as { [Name in keyof Values]?: NonNullable<Values[Name]> };
}
