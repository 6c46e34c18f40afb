import { readTimeline } from '../../usecases/items/read-timeline.ts';
import { readExternalId } from '../../schemas/items/external-id.ts';
import { readTimelineQuery } from '../../schemas/items/timeline.ts';
import { param, type Answer, type ScopedCall } from '../http/route.ts';

/** What happened to an item, when, by whom, and why it waits. */
export async function getTimeline(call: ScopedCall): Promise<Answer> {
  const externalId = readExternalId(param(call, 'external_id'));
  const page = { externalId, ...readTimelineQuery(call.query) };
  return { status: 200, body: await readTimeline(call.context, call.scope, page) };
}
