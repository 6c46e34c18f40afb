import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { KeyHolder, Scope } from '../../features/rules/scope.ts';
import type { Logger } from '../../platform/logger.ts';
import type { RequestObserver } from '../../platform/request-observer.ts';
import type { Served } from './api-parts.ts';

/** The fields of the one log line per request, collected during the request. Holds no secret and no body. */
export interface RequestRecord {
  readonly requestId: string;
  /** The path as the table has it, so that lines of one route can be counted. */
  route?: string;
  externalId?: string | undefined;
  scope?: Scope;
  /** The account of the key, if any account has or had it; also for a refused call. */
  caller?: KeyHolder | undefined;
  readonly trace: Scope['trace'] | undefined;
  /** Code of a refusal. */
  code?: string;
  /** Dotted paths of the refused fields. */
  fields?: readonly string[] | undefined;
  /** The error, when the caller did not cause it. */
  failure?: unknown;
  /** Called when the answer has been sent, or its caller has gone. */
  readonly whenClosed: (() => void)[];
}

/** Calls `release` when the answer has been sent or its caller has gone; at once when it had gone already. */
export function whenClosed(response: Response, release: () => void): void {
  if (response.closed) release();
  else recordOf(response).whenClosed.push(release);
}

const records = new WeakMap<Response, RequestRecord>();
const saneId = /^[\w.:-]{1,128}$/;

interface RecordOptions {
  readonly observer?: RequestObserver | undefined;
  /** Called after the log line was written. */
  readonly onAnswered?: ((answered: Answered) => void) | undefined;
}

/** Sets `X-Request-Id` on every request and its answer, and writes the log line when the request is answered or aborted. */
export function recordRequests(logger: Logger, { observer = unobserved, onAnswered }: RecordOptions): RequestHandler {
  return (request: Request, response: Response, next: NextFunction) => {
    const startedAt = process.hrtime.bigint();
    const asked = request.headers['x-request-id'];
    const observed = observer.begin(request);
    const requestId = typeof asked === 'string' && saneId.test(asked) ? asked : randomUUID();
    const record: RequestRecord = { requestId, trace: observed.trace, whenClosed: [] };
    records.set(response, record);
    response.setHeader('X-Request-Id', record.requestId);
    response.once('close', () => {
      for (const release of record.whenClosed) release();
      const durationMs = Number(process.hrtime.bigint() - startedAt) / 1e6;
      const answered = { request, response, record, durationMs: Math.round(durationMs * 10) / 10 };
      writeLine(logger, answered);
      onAnswered?.(answered);
      observed.end({
        method: request.method,
        route: record.route ?? 'other',
        status: response.statusCode,
        code: record.code,
        isAborted: !response.writableFinished,
        failure: record.failure,
        seconds: durationMs / 1_000,
      });
    });
    observed.run(next);
  };
}

const unobserved: RequestObserver = {
  begin: () => ({ trace: undefined, run: (next) => next(), end: () => undefined }),
};

/** The record of this request. Throws an Error before {@link recordRequests} has run. */
export function recordOf(response: Response): RequestRecord {
  const record = records.get(response);
  if (record === undefined) throw new Error('recordRequests must run first');
  return record;
}

interface Answered {
  readonly request: Request;
  readonly response: Response;
  readonly record: RequestRecord;
  readonly durationMs: number;
}

/** Level error is for bugs only; an unavailable database is a warning. */
function writeLine(logger: Logger, { request, response, record, durationMs }: Answered): void {
  const { scope, trace: _trace, failure, caller: _caller, fields: _fields, whenClosed: _when, ...rest } = record;
  const fields = {
    ...rest,
    method: request.method,
    status: response.statusCode,
    durationMs,
    ...(scope !== undefined && scopeFields(scope)),
    ...(failure !== undefined && { err: failure }),
  };
  const event = response.writableFinished ? 'request.answered' : 'request.aborted';
  if (response.statusCode === 500) logger.error(fields, event);
  else if (response.statusCode > 500) logger.warn(fields, event);
  else logger.info(fields, event);
}

const scopeFields = ({ accountId, actingAccountId, credential }: Scope) => ({
  accountId,
  ...(actingAccountId !== accountId && { actingAccountId }),
  ...(credential.kind === 'api-key' && { keyId: credential.keyId }),
});

const pathLengthMax = 500;

/**
 * Adds each call to the log of the account that has or had the key; undefined where logs are switched off. The query is
 * left out, because it may hold any text.
 */
export function callLogger({
  context,
  parts: { requestRecorder },
}: Served): ((answered: Answered) => void) | undefined {
  if (requestRecorder === undefined) return undefined;
  return ({ request, response, record, durationMs }) => {
    const { scope, caller, code = null, fields = [], requestId } = record;
    if (caller === undefined) return;
    const [path = ''] = request.originalUrl.split('?');
    requestRecorder.note({
      accountId: caller.accountId,
      keyId: caller.keyId,
      memberId: scope === undefined || scope.accountId === caller.accountId ? null : scope.accountId,
      at: new Date(context.now().getTime() - durationMs),
      method: request.method,
      path: path.slice(0, pathLengthMax),
      status: response.writableFinished ? response.statusCode : null,
      code,
      fields,
      requestId,
      durationMs,
    });
  };
}
