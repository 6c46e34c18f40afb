import type { RequestWarning } from '../../core/items/item-content.ts';
import { readExternalId } from '../../schemas/items/external-id.ts';
import { itemTag, type Precondition, type WriteResult, type WriteTarget } from '../../usecases/items/write-item.ts';
import { readIfMatch } from '../http/if-match.ts';
import { param, type Answer, type ScopedCall } from '../http/route.ts';
import { readValidateOnly } from '../http/validate-only.ts';

/** The texts for an outcome: after a write, and for a call with `validateOnly`. */
export type WriteMessages<Outcome extends string> = Readonly<
  Record<Outcome, { readonly done: string; readonly would: string }>
>;

/** The parameters that all item writes share, from path, query and headers. Throws Refusal BAD_REQUEST. */
export const readTarget = (call: ScopedCall, precondition: Precondition = readIfMatch(call)) => ({
  externalId: readExternalId(param(call, 'external_id')),
  precondition,
  validateOnly: readValidateOnly(call),
});

/** Messages of a PATCH, in the style of the PUT's. */
export function updateMessages(what: string): WriteMessages<WriteResult['outcome']> {
  const updated = { done: `${what} updated`, would: `${what} would be updated` };
  const unchanged = { done: `${what} updated (unchanged)`, would: `${what} would be updated (unchanged)` };
  // A PATCH never creates.
  return { created: updated, updated, unchanged };
}

/** 202 with the tag of the stored version; 200 for a call with `validateOnly`. */
export function answerWrite<Outcome extends string>(
  { validateOnly }: Pick<WriteTarget, 'validateOnly'>,
  result: Omit<WriteResult<Outcome>, 'warnings'> & { readonly warnings: readonly RequestWarning[] },
  messages: WriteMessages<Outcome>,
): Answer {
  const { itemId, revision, outcome, warnings } = result;
  const { done, would } = messages[outcome];
  if (validateOnly === true) return { status: 200, body: { valid: true, message: would, warnings } };
  return {
    status: 202,
    body: { success: true, itemId, message: done, ...(warnings.length > 0 && { warnings }) },
    headers: { ETag: `"${itemTag({ id: itemId, revision })}"` },
  };
}

/** 200 with the tag of the version read. */
export const answerItem = (body: object, tag: string): Answer => ({ status: 200, body, headers: { ETag: `"${tag}"` } });
