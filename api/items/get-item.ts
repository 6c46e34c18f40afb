import { readItem } from '../../usecases/items/read-item.ts';
import { readItemStatus } from '../../usecases/items/read-item.ts';
import { readExternalId } from '../../schemas/items/external-id.ts';
import { oneOf, readQuery } from '../../schemas/query.ts';
import { param, type Answer, type ScopedCall } from '../http/route.ts';

const readers = { view: oneOf(['status', 'full']) };

/** The status, or with `view=full` all of it; never from a cache, because it may change without a revision. */
export async function getItem(call: ScopedCall): Promise<Answer> {
  const externalId = readExternalId(param(call, 'external_id'));
  if (readQuery(call.query, readers).view === 'full') {
    const { item, revision } = await readItem(call.context, call.scope, externalId);
    return answerItem(item, revision);
  }
  const { status, revision } = await readItemStatus(call.context, call.scope, externalId);
  return answerItem(status, revision);
}

/** 200 with the tag of what was read. */
export const answerItem = (body: { readonly serviceItemId: string }, revision: number): Answer => ({
  status: 200,
  body,
  headers: { ETag: `"${body.serviceItemId}.${revision}"` },
});
