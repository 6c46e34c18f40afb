import { Refusal } from '../../core/errors.ts';
import { readExternalId } from '../../schemas/items/external-id.ts';
import { noStore } from '../http/no-store.ts';
import { param, type Answer, type ScopedCall } from '../http/route.ts';

/** The status, or with `view=full` all of it; never from a cache, because it may change without a revision. */
export async function getItem(call: ScopedCall): Promise<Answer> {
  const externalId = readExternalId(param(call, 'external_id'));
  const { items } = call.dependencies;
  const view = call.query['view'] ?? 'status';
  switch (view) {
    case 'status': {
      const { status, revision } = await items.readStatus(call.scope, externalId);
      return found(status, revision);
    }
    case 'full': {
      const { item, revision } = await items.read(call.scope, externalId);
      return found(item, revision);
    }
    default:
      throw new Refusal('BAD_REQUEST', 'view must be status or full');
  }
}

const found = (body: { readonly serviceItemId: string }, revision: number): Answer => ({
  status: 200,
  body,
  headers: { ...noStore, ETag: `"${body.serviceItemId}.${revision}"` },
});
