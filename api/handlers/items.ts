import { refusalStatus } from '../../features/rules/errors.ts';
import type { FieldProblem } from '../../features/rules/field-problems.ts';
import { readBatch, readBatchRow, type BatchResult, type BatchRow } from '../../schemas/items/batch.ts';
import { readPriceRequest, readQuantityRequest, readStatusRequest } from '../../schemas/items/change-requests.ts';
import { withDoubts } from '../../schemas/items/doubts.ts';
import { readExternalId, withIdWarnings } from '../../schemas/items/external-id.ts';
import { readItemListQuery } from '../../schemas/items/item-list.ts';
import { readItemRequest } from '../../schemas/items/read-item-request.ts';
import { readTimelineQuery } from '../../schemas/items/timeline.ts';
import { oneOf, readQuery } from '../../schemas/query.ts';
import { repeatedFields } from '../../schemas/unknown-fields.ts';
import { applyBatch } from '../../features/items/apply-batch.ts';
import type { LineResult } from '../../features/items/apply-lines.ts';
import { changeItemStatus } from '../../features/items/change-status.ts';
import { deleteItem as removeItem } from '../../features/items/delete-item.ts';
import { changeItemQuantity } from '../../features/items/change-quantity.ts';
import { changeItemPrice } from '../../features/items/change-price.ts';
import { publishItem, retryItem } from '../../features/items/publish-item.ts';
import { listItems, readItem, readItemStatus, readPartnerItem, readTimeline } from '../../features/items/read-item.ts';
import { upsertItem } from '../../features/items/upsert-item.ts';
import { itemTag, type Precondition, type WriteResult, type WriteTarget } from '../../features/items/write-item.ts';
import { readIfMatch, readIfNoneMatch } from '../http/if-match.ts';
import { param, type Answer, type Call, type ScopedCall } from '../http/route.ts';

/** A page of the account's items, newest first. */
export async function getItems({ context, scope, query }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await listItems(context, scope, readItemListQuery(query)) };
}

const readers = { view: oneOf(['status', 'full']) };

/** Returns the status, or with `view=full` the whole item. Never cached, because it may change without a new revision. */
export async function getItem(call: ScopedCall): Promise<Answer> {
  const externalId = readExternalId(param(call, 'external_id'));
  if (readQuery(call.query, readers).view === 'full') {
    const { item, tag } = await readItem(call.context, call.scope, externalId);
    return answerItem(item, tag);
  }
  const { status, tag } = await readItemStatus(call.context, call.scope, externalId);
  return answerItem(status, tag);
}

/** Returns the history of an item, with times and actors, and what it waits for. */
export async function getTimeline(call: ScopedCall): Promise<Answer> {
  const externalId = readExternalId(param(call, 'external_id'));
  const page = { externalId, ...readTimelineQuery(call.query) };
  return { status: 200, body: await readTimeline(call.context, call.scope, page) };
}

/** 202: the item is stored, and its work continues in the background. */
export async function putItem(call: ScopedCall): Promise<Answer> {
  const target = readTarget(call, { ...readIfMatch(call), ...readIfNoneMatch(call) });
  const plain = withIdWarnings(readItemRequest(call.body), target.externalId, 'external_id');
  const read = withDoubts(plain, target.externalId, 'external_id');
  const request = { ...read, warnings: [...repeatedFields(call.repeated), ...read.warnings] };
  const result = await upsertItem(call.context, call.scope, { ...target, request });
  return answerWrite(target, result, upsertMessages);
}

/** Shared by PUT and the rows of a batch. */
const upsertMessages: WriteMessages<WriteResult['outcome']> = {
  created: { done: 'Item created', would: 'Item would be created' },
  updated: { done: 'Item updated', would: 'Item would be updated' },
  unchanged: { done: 'Item updated (unchanged)', would: 'Item would be updated (unchanged)' },
};

/** A call counts against the rate limit as one point per ten rows. */
const rowsPerPoint = 10;

/** 200 with one result for each row: bad rows fail alone. */
export async function postBatch(call: ScopedCall): Promise<Answer> {
  const validateOnly = readValidateOnly(call);
  const sent = readBatch(call.body);
  await call.charge(Math.ceil(sent.length / rowsPerPoint));
  const rows = sent.map((row, index) => readBatchRow(row, repeatedFields(call.repeated, `items.${index}.`)));
  const results = await applyBatch(call.context, call.scope, { rows, validateOnly });
  return {
    status: 200,
    body: { results: rows.map((row, index) => describe(row, results[index], validateOnly)) },
  };
}

function describe(
  { externalId, account }: BatchRow,
  result: LineResult | undefined,
  validateOnly: boolean,
): BatchResult {
  if (result === undefined) throw new Error('a row of a batch has no result');
  const names = { externalId, ...(account !== undefined && { account }) };
  if ('refusal' in result) {
    const { code, message, details } = result.refusal;
    const kept = details === undefined ? {} : { details: [...details] };
    return { ...names, status: refusalStatus[code], error: message, code, ...kept };
  }
  const { itemId, outcome, warnings } = result;
  const { done, would } = upsertMessages[outcome];
  const kept = warnings.length > 0 ? { warnings: [...warnings] } : {};
  if (validateOnly) return { ...names, status: 200, message: would, ...kept };
  return { ...names, status: 202, itemId, message: done, ...kept };
}

/** 202: the price is stored, a live auction follows. */
export async function patchPrice(call: ScopedCall): Promise<Answer> {
  const target = readTarget(call);
  const { priceOre, warnings } = readPriceRequest(call.body);
  const result = await changeItemPrice(call.context, call.scope, { ...target, priceOre });
  const answered = { ...result, warnings: [...repeatedFields(call.repeated), ...warnings, ...result.warnings] };
  return answerWrite(target, answered, updateMessages('Price'));
}

/** 202: the number is stored. At zero the auction is taken down; a number above zero puts a sold-out item up again. */
export async function patchQuantity(call: ScopedCall): Promise<Answer> {
  const target = readTarget(call);
  const { quantity, warnings } = readQuantityRequest(call.body);
  const result = await changeItemQuantity(call.context, call.scope, { ...target, quantity });
  const answered = { ...result, warnings: [...repeatedFields(call.repeated), ...warnings, ...result.warnings] };
  return answerWrite(target, answered, updateMessages('Quantity'));
}

/** 202: the item has left the service, and its auction is taken down in the background. */
export async function patchStatus(call: ScopedCall): Promise<Answer> {
  const target = readTarget(call);
  const { status, warnings } = readStatusRequest(call.body);
  const result = await changeItemStatus(call.context, call.scope, { ...target, status });
  const answered = { ...result, warnings: [...repeatedFields(call.repeated), ...warnings, ...result.warnings] };
  return answerWrite(target, answered, updateMessages('Status'));
}

/** 202: the publication is requested and made in the background. */
export async function postPublish(call: ScopedCall): Promise<Answer> {
  const { replaceRunning = 'false', ...query } = call.query;
  const flags = readQuery({ replaceRunning }, { replaceRunning: flag });
  const target = readTarget({ ...call, query });
  const wish = { ...target, replacesRunning: flags.replaceRunning === 'true' };
  const result = await publishItem(call.context, call.scope, wish);
  const requested = { done: 'Publication requested', would: 'Publication would be requested' };
  return answerWrite(target, result, {
    created: requested,
    updated: requested,
    unchanged: { done: 'Publication requested (unchanged)', would: 'Publication would be requested (unchanged)' },
  });
}

/**
 * 202: the external id is free again, and the auction is taken down in the background. No ETag, because no item is left to write.
 */
export async function deleteItem(call: ScopedCall): Promise<Answer> {
  const target = readTarget(call);
  const result = await removeItem(call.context, call.scope, target);
  const { status, body } = answerWrite(target, result, {
    deleted: { done: 'Item deleted', would: 'Item would be deleted' },
    archived: {
      done: 'Item archived, because an order is in progress',
      would: 'Item would be archived, because an order is in progress',
    },
    unchanged: {
      done: 'Item archived, because an order is in progress (unchanged)',
      would: 'Item would stay archived, because an order is in progress',
    },
  });
  return { status, body };
}

/** Returns the whole item, and for an operator its workflow. */
export async function getPartnerItem(call: ScopedCall): Promise<Answer> {
  const externalId = readExternalId(param(call, 'external_id'));
  readQuery(call.query, {});
  const { item, tag } = await readPartnerItem(call.context, call.scope, externalId);
  return answerItem(item, tag);
}

/** 202: what failed, was given up or waits is retried at once in the background. */
export async function postRetry(call: ScopedCall): Promise<Answer> {
  const target = readTarget(call);
  const result = await retryItem(call.context, call.scope, target);
  const requested = { done: 'Retry requested', would: 'A retry would be requested' };
  return answerWrite(target, result, { created: requested, updated: requested, unchanged: requested });
}

/** The texts for an outcome: after a write, and for a call with `validateOnly`. */
type WriteMessages<Outcome extends string> = Readonly<
  Record<Outcome, { readonly done: string; readonly would: string }>
>;

/** The parameters that all item writes share, from path, query and headers. Throws Refusal BAD_REQUEST. */
const readTarget = (call: ScopedCall, precondition: Precondition = readIfMatch(call)) => ({
  externalId: readExternalId(param(call, 'external_id')),
  precondition,
  validateOnly: readValidateOnly(call),
});

/** Messages of a PATCH, in the style of the PUT's. */
function updateMessages(what: string): WriteMessages<WriteResult['outcome']> {
  const updated = { done: `${what} updated`, would: `${what} would be updated` };
  const unchanged = { done: `${what} updated (unchanged)`, would: `${what} would be updated (unchanged)` };
  // A PATCH never creates.
  return { created: updated, updated, unchanged };
}

/** 202 with the tag of the stored version; 200 for a call with `validateOnly`. */
function answerWrite<Outcome extends string>(
  { validateOnly }: Pick<WriteTarget, 'validateOnly'>,
  result: Omit<WriteResult<Outcome>, 'warnings'> & { readonly warnings: readonly FieldProblem[] },
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
const answerItem = (body: object, tag: string): Answer => ({ status: 200, body, headers: { ETag: `"${tag}"` } });

const flag = oneOf(['true', 'false']);
const flagReaders = { validateOnly: flag };

/**
 * `?validateOnly=true`: all checks, no effect. A write accepts no other parameter. Another value or spelling is refused, because
 * it may be a mistyped `validateOnly`. Throws Refusal BAD_REQUEST.
 */
const readValidateOnly = ({ query }: Call): boolean => readQuery(query, flagReaders).validateOnly === 'true';
