import { readEventFeedQuery } from '../../schemas/events/event-feed.ts';
import { readEvents } from '../../usecases/events/read-events.ts';
import type { Answer, ScopedCall } from '../http/route.ts';

/** Returns the account's events after a cursor, oldest first. */
export async function getEvents({ context, scope, query }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await readEvents(context, scope, readEventFeedQuery(query)) };
}
