import { readEventFeedQuery } from '../../schemas/events/event-feed.ts';
import type { Answer, ScopedCall } from '../http/route.ts';

/** The account's events behind a cursor, oldest first. */
export async function getEvents({ dependencies, scope, query }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await dependencies.webhooks.readEvents(scope, readEventFeedQuery(query)) };
}
