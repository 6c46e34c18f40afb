import { pageOf } from '../rules/page-of.ts';
import type { Scope } from '../rules/scope.ts';
import type { Logger } from '../../platform/logger.ts';
import { writeRequestLogCursor, type RequestLogQuery } from '../../schemas/partner/request-log.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import {
  insertCalls,
  keptCallsMax,
  readCalls,
  trimCalls,
  type CallFilter,
  type LoggedCall,
  type StoredCall,
} from './store/request-log.ts';
import type { Context } from '../context.ts';

/**
 * The calls with keys of the account, newest first. A key reads only its own calls, because the account's other systems
 * may be another party's. With `X-Partner-Account` only those for that member.
 */
export async function readRequestLog(
  { store }: Pick<Context, 'store'>,
  scope: Scope,
  { filter, before, limit }: RequestLogQuery,
) {
  if (isOthersKey(scope, filter.keyId)) return { calls: [], nextCursor: null };
  const found = await readCalls(store, scope.actingAccountId, {
    filter: { ...filter, ...boundsOf(scope) },
    before,
    limit: limit + 1,
  });
  const { shown: page, last } = pageOf(found, limit);
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

const viewOf = (call: StoredCall) => ({
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

/** Writes the log of calls after their answers. A call never waits for it, and the log never makes a call fail. */
export interface RequestRecorder {
  /** Takes a call; drops and counts it when too many wait. */
  note(call: LoggedCall): void;
  /** Writes the waiting calls. Never throws. */
  settle(): Promise<void>;
}

interface RecorderOptions {
  readonly store: StoreConnection;
  readonly logger: Pick<Logger, 'warn'>;
  /** Called with the number of dropped calls. */
  readonly onDropped: (count: number) => void;
  /** Calls of an account that are kept: this many refused and this many answered ones. */
  readonly keptMax?: number;
  /** From 0 up to 1. */
  readonly random?: () => number;
}

const everyMs = 1_000;
/** Most calls that wait in memory. The rate limits let an account send a fraction of these in the time. */
export const waitingMax = 5_000;
/** An account's log is trimmed about once in so many calls: seldom enough to cost nothing, and without a counter. */
const trimmedEvery = 1_000;

/** A recorder for one process. */
export function createRequestRecorder(options: RecorderOptions): RequestRecorder {
  const { store, logger, onDropped, keptMax = keptCallsMax, random = Math.random } = options;
  let waiting: LoggedCall[] = [];
  let writing: Promise<void> = Promise.resolve();
  const write = async (): Promise<void> => {
    const calls = waiting;
    if (calls.length === 0) return;
    waiting = [];
    try {
      await insertCalls(store, calls);
    } catch (error) {
      onDropped(calls.length);
      logger.warn({ calls: calls.length, err: error }, 'request_log.not_written');
      return;
    }
    for (const { accountId } of calls.filter(() => random() < 1 / trimmedEvery))
      await trimCalls(store, accountId, keptMax).catch((error: unknown) => {
        logger.warn({ accountId, err: error }, 'request_log.not_trimmed');
      });
  };
  // One write at a time: while the database is slow, calls wait up to the limit and are then dropped.
  const settle = (): Promise<void> => (writing = writing.then(write));
  setInterval(() => void settle(), everyMs).unref();
  return {
    note(call) {
      if (waiting.length < waitingMax) waiting.push(call);
      else onDropped(1);
    },
    settle,
  };
}
