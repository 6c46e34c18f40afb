import { linesMax } from '../../features/bulk-syncs/rules/bulk-sync.ts';
import {
  acceptedBulkSyncSchema,
  bulkSyncBodySchema,
  bulkSyncCheckSchema,
  bulkSyncListSchema,
  bulkSyncParameters,
  bulkSyncSchema,
  cancelledBulkSyncSchema,
  ndjsonType,
  readBulkSyncQuery,
} from '../../schemas/bulk-syncs/bulk-sync.ts';
import { type Route, ok, param, streamOf, type Answer, type ScopedCall } from '../http/route.ts';
import { anyText } from './parameters.ts';
import { payerOfScope } from '../../features/rules/scope.ts';
import { bulkSyncId } from '../../features/rules/ids.ts';
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

const tag = 'Bulk syncs';
const params = {
  id: { ...anyText("The bulk sync's id", 'fd30f0ec-7b1a-4c55-9d2e-8f3a6b4c5d1e'), component: 'BulkSyncId' },
};
const byKey = { credential: 'api-key', keyScope: 'items:read', tag, params } as const;
const writeByKey = { credential: 'api-key', keyScope: 'items:write', tag } as const;
const bySession = { credential: 'jwt', forMembers: true, tag, params } as const;
/** For a session, `member` limits the answer to that member. */
const forMembers = '`member` finds only what was sent for that member.';
const itsProgress = { description: 'How far it has come', schema: bulkSyncSchema };
const kept = 'Kept for 30 days. Readable by every key and session of the account that sent it, whomever it acted for.';
const itsErrors = {
  summary: 'Read the lines of a bulk sync that were refused',
  description: `Newline-delimited JSON in the order of the file, one object \`BulkSyncError\` a line; while it runs, those so far. Unlike in other answers, a failure in the middle shows as a connection that breaks off. ${kept}`,
  answers: { 200: { description: 'The lines that were refused', contentType: ndjsonType } },
};
const cancelling = {
  summary: 'Cancel a bulk sync',
  description:
    'What was applied stays. Once the state is `cancelled`, nothing more is written; until then a few lines may be. Called again, or after the end: 202 with the state as it is.',
  answers: { 202: { description: 'It ends soon, or has ended', schema: cancelledBulkSyncSchema } },
};

const itsUpload = {
  description: [
    `The body is read as a stream: at most ${linesMax.toLocaleString('en')} lines of at most 1 MB each, 2 GB in all, also with \`Content-Encoding: gzip\` (counted unpacked). Empty lines are skipped but numbered.`,
    'A line that can be read is worked on as a PUT of its item would be; one that is not JSON, too long, without a usable `externalId`, or with an `account` that is no member, fails alone. `account` is looked up as the line is read; without it the line is for the account of the call.',
    'The 202 says that all lines are stored and will be worked on, whatever happens. An upload that breaks off has no effect, nor has one that is refused. Lines of one account take effect in their order; a line never overwrites a write of its item that was accepted after the bulk sync was (it fails with `CONFLICT`).',
    '',
    'Of the rate limit it costs a point for each 64 KB that it unpacks to, each line counting 256 bytes more. Where none is left it is not refused: it is read as fast as points come back.',
    '',
    '`mode=snapshot` is for one account: what it has of source `integration`, and the file leaves out, is taken down, except what was written since the upload began.',
    '',
    '- 200 with `validateOnly=true`.',
    '- 400 `BAD_REQUEST`: no lines (only a snapshot may be empty), or the body is not what its Content-Encoding says.',
    '- 408 `REQUEST_TIMEOUT`: it was slower than 16 KB a second (unpacked) and fell behind by 60 s, also by silence; or the upload took more than 6 hours.',
    '- 409 `CONFLICT`: 20 bulk syncs of the account are unfinished; or a snapshot of the account runs; or an earlier bulk sync has lines to apply of the account that a snapshot is for; or a snapshot would take down more than half of the items (the message has both numbers) without `confirm=true`.',
    '- 413 `PAYLOAD_TOO_LARGE`: too many lines or bytes; or it unpacks to more than 1 MB and 200 times what was sent.',
    '- 429 `RATE_LIMITED`: also when the account has no place for an upload: it has 4, and 1 while many accounts upload. An upload takes its place with its first byte.',
    '- 422 `VALIDATION_FAILED`: a line of a snapshot names another `account`, or its item can not be told; the details have the number of the line.',
  ].join('\n'),
  query: bulkSyncParameters,
  request: { schema: bulkSyncBodySchema, asStream: ndjsonType },
  answers: {
    200: { description: 'With `validateOnly=true`: what was found', schema: bulkSyncCheckSchema },
    202: {
      description: 'All lines are stored and are worked on in the background',
      schema: acceptedBulkSyncSchema,
      headers: { Location: 'Path of the bulk sync' },
    },
  },
  refusals: ['BAD_REQUEST', 'CONFLICT', 'REQUEST_TIMEOUT'],
} as const;

export const bulkSyncRoutes: readonly Route[] = [
  {
    ...writeByKey,
    method: 'post',
    path: '/integration/v1/bulk-syncs',
    idempotent: true,
    name: 'createBulkSync',
    summary: 'Send many items as newline-delimited JSON',
    ...itsUpload,
    handle: (call: ScopedCall) => takeUpload(call, '/integration/v1/bulk-syncs'),
  },
  {
    ...byKey,
    method: 'get',
    path: '/integration/v1/bulk-syncs/{id}',
    name: 'getBulkSync',
    summary: 'Read how far a bulk sync has come',
    description: kept,
    answers: { 200: itsProgress },
    refusals: ['BAD_REQUEST', 'NOT_FOUND'],
    handle: getBulkSync,
  },
  {
    ...byKey,
    method: 'get',
    path: '/integration/v1/bulk-syncs/{id}/errors',
    name: 'listBulkSyncErrors',
    ...itsErrors,
    refusals: ['BAD_REQUEST', 'NOT_FOUND'],
    handle: getBulkSyncErrors,
  },
  {
    ...writeByKey,
    params,
    method: 'delete',
    path: '/integration/v1/bulk-syncs/{id}',
    name: 'cancelBulkSync',
    ...cancelling,
    refusals: ['BAD_REQUEST', 'NOT_FOUND'],
    handle: deleteBulkSync,
  },
  {
    method: 'get',
    path: '/partner/bulk-syncs',
    credential: 'jwt',
    forMembers: true,
    tag,
    name: 'listPartnerBulkSyncs',
    summary: "List the account's bulk syncs",
    description: 'All that it has sent; with `member` those that it has sent for that member (`X-Partner-Account`).',
    answers: { 200: { description: 'The 100 newest of the last 30 days, newest first', schema: bulkSyncListSchema } },
    refusals: ['BAD_REQUEST', 'NOT_FOUND'],
    handle: async ({ context, scope, query }: ScopedCall) => {
      readQuery(query, {});
      return { status: 200, body: { bulkSyncs: await listOwnBulkSyncs(context, scope) } };
    },
  },
  {
    method: 'post',
    path: '/partner/bulk-syncs',
    credential: 'jwt',
    forMembers: true,
    tag,
    idempotent: true,
    name: 'createPartnerBulkSync',
    summary: 'Send many items as newline-delimited JSON, by session',
    ...itsUpload,
    answers: {
      ...itsUpload.answers,
      202: { ...itsUpload.answers[202], headers: { Location: 'Its path, by session' } },
    },
    refusals: [...itsUpload.refusals, 'NOT_FOUND'],
    handle: (call: ScopedCall) => takeUpload(call, '/partner/bulk-syncs'),
  },
  {
    ...bySession,
    method: 'get',
    path: '/partner/bulk-syncs/{id}',
    name: 'getPartnerBulkSync',
    summary: 'Read how far a bulk sync has come',
    description: forMembers,
    answers: { 200: itsProgress },
    refusals: ['BAD_REQUEST', 'NOT_FOUND'],
    handle: getBulkSync,
  },
  {
    ...bySession,
    method: 'get',
    path: '/partner/bulk-syncs/{id}/errors',
    name: 'listPartnerBulkSyncErrors',
    ...itsErrors,
    description: `${itsErrors.description} ${forMembers}`,
    refusals: ['BAD_REQUEST', 'NOT_FOUND'],
    handle: getBulkSyncErrors,
  },
  {
    ...bySession,
    method: 'delete',
    path: '/partner/bulk-syncs/{id}',
    name: 'cancelPartnerBulkSync',
    ...cancelling,
    description: `${cancelling.description} ${forMembers}`,
    refusals: ['BAD_REQUEST', 'NOT_FOUND'],
    handle: deleteBulkSync,
  },
];

async function getBulkSync(call: ScopedCall): Promise<Answer> {
  readQuery(call.query, {});
  return ok(readBulkSync(call.context, call.scope, bulkSyncId(param(call, 'id'))));
}

async function getBulkSyncErrors(call: ScopedCall): Promise<Answer> {
  readQuery(call.query, {});
  const payFor = (rows: number) => call.pay(pointsOfRows(rows));
  const pages = await readBulkErrors(call.context, call.scope, { id: bulkSyncId(param(call, 'id')), payFor });
  return { status: 200, stream: { type: ndjsonType, chunks: linesOf(pages) } };
}

async function deleteBulkSync(call: ScopedCall): Promise<Answer> {
  readQuery(call.query, {});
  return { status: 202, body: await cancelBulkSync(call.context, call.scope, bulkSyncId(param(call, 'id'))) };
}

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

async function* linesOf(pages: AsyncIterable<readonly object[]>): AsyncIterable<string> {
  for await (const page of pages) yield page.map((row) => `${JSON.stringify(row)}\n`).join('');
}
