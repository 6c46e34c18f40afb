import { payerOfScope } from '../../features/rules/scope.ts';
import { bulkSyncId } from '../../features/rules/ids.ts';
import { ndjsonType, readBulkSyncQuery } from '../../schemas/bulk-syncs/bulk-sync.ts';
import { readQuery } from '../../schemas/query.ts';
import { acceptBulkSync } from '../../features/bulk-syncs/accept-bulk-sync.ts';
import {
  cancelBulkSync,
  listOwnBulkSyncs,
  readBulkErrors,
  readBulkSync,
} from '../../features/bulk-syncs/manage-bulk-syncs.ts';
import { checkBulkSync } from '../../features/bulk-syncs/check-bulk-sync.ts';
import { pointsOfRows } from '../http/rate-limit.ts';
import { param, streamOf, type Answer, type ScopedCall } from '../http/route.ts';

/** 202: every line is stored, and is applied in the background. */
export const postBulkSync = (call: ScopedCall): Promise<Answer> => takeUpload(call, '/integration/v1/bulk-syncs');

/** The same with a session, for the dashboard. */
export const postOwnBulkSync = (call: ScopedCall): Promise<Answer> => takeUpload(call, '/partner/bulk-syncs');

async function takeUpload(call: ScopedCall, path: string): Promise<Answer> {
  const { validateOnly, ...wish } = readBulkSyncQuery(call.query);
  const body = streamOf(call);
  const { context, scope } = call;
  // An upload that sends nothing takes no place from others.
  await body.begun();
  call.whenClosed(context.places.upload.take(payerOfScope(scope)));
  if (validateOnly) return { status: 200, body: await checkBulkSync(context, scope, { ...wish, body }) };
  const { id } = await acceptBulkSync(context, scope, { ...wish, body });
  return { status: 202, body: { id }, headers: { Location: `${path}/${id}` } };
}

/** `GET /partner/bulk-syncs`: 200 with the newest bulk syncs. */
export async function getBulkSyncs({ context, scope, query }: ScopedCall): Promise<Answer> {
  readQuery(query, {});
  return { status: 200, body: { bulkSyncs: await listOwnBulkSyncs(context, scope) } };
}

/** `GET …/bulk-syncs/{id}`: 200 with the progress. */
export async function getBulkSync(call: ScopedCall): Promise<Answer> {
  readQuery(call.query, {});
  return { status: 200, body: await readBulkSync(call.context, call.scope, bulkSyncId(param(call, 'id'))) };
}

/** `GET …/bulk-syncs/{id}/errors`: 200, a stream with one JSON object per reported line. */
export async function getBulkSyncErrors(call: ScopedCall): Promise<Answer> {
  readQuery(call.query, {});
  const payFor = (rows: number) => call.pay(pointsOfRows(rows));
  const pages = await readBulkErrors(call.context, call.scope, { id: bulkSyncId(param(call, 'id')), payFor });
  return { status: 200, stream: { type: ndjsonType, chunks: linesOf(pages) } };
}

async function* linesOf(pages: AsyncIterable<readonly object[]>): AsyncIterable<string> {
  for await (const page of pages) yield page.map((row) => `${JSON.stringify(row)}\n`).join('');
}

/** `DELETE …/bulk-syncs/{id}`: 202; chunks that have begun are still applied. */
export async function deleteBulkSync(call: ScopedCall): Promise<Answer> {
  readQuery(call.query, {});
  return { status: 202, body: await cancelBulkSync(call.context, call.scope, bulkSyncId(param(call, 'id'))) };
}
