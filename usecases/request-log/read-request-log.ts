import type { Scope } from '../../core/scope.ts';
import { writeRequestLogCursor, type RequestLogQuery } from '../../schemas/partner/request-log.ts';
import { readCalls, type CallFilter, type StoredCall } from '../../store/request-log/request-log.ts';
import type { Context } from '../context.ts';

export interface RequestLogEntry {
  readonly id: string;
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly status: number | null;
  readonly code: string | null;
  readonly fields: readonly string[];
  readonly requestId: string;
  readonly durationMs: number;
  readonly keyId: string;
  readonly memberUserId: string | null;
}

/**
 * The calls with keys of the account, newest first. A key reads its own calls alone, because what other systems of the account do
 * is none of its business; with `X-Partner-Account` only those for that member.
 */
export async function readRequestLog(
  { store }: Pick<Context, 'store'>,
  scope: Scope,
  { filter, before, limit }: RequestLogQuery,
): Promise<{ readonly calls: readonly RequestLogEntry[]; readonly nextCursor: string | null }> {
  if (isOthersKey(scope, filter.keyId)) return { calls: [], nextCursor: null };
  const found = await readCalls(store, scope.actingAccountId, {
    filter: { ...filter, ...boundsOf(scope) },
    before,
    limit: limit + 1,
  });
  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1) : undefined;
  return {
    calls: page.map(viewOf),
    nextCursor: last === undefined ? null : writeRequestLogCursor({ at: last.at, id: last._id.toHexString() }, filter),
  };
}

const isOthersKey = ({ credential }: Scope, keyId: string | undefined): boolean =>
  credential.kind === 'api-key' && keyId !== undefined && keyId !== credential.keyId;

const boundsOf = ({ accountId, actingAccountId, credential }: Scope): CallFilter => ({
  ...(credential.kind === 'api-key' && { keyId: credential.keyId }),
  ...(accountId !== actingAccountId && { memberId: accountId }),
});

const viewOf = (call: StoredCall): RequestLogEntry => ({
  id: call._id.toHexString(),
  at: call.at.toISOString(),
  method: call.method,
  path: call.path,
  status: call.status,
  code: call.code,
  fields: call.fields,
  requestId: call.requestId,
  durationMs: call.durationMs,
  keyId: call.keyId,
  memberUserId: call.memberId,
});
