import type { Served } from './api-parts.ts';
import type { Answered } from './request-record.ts';

const pathLengthMax = 500;

/**
 * Notes each call with a key that an account has or had in the log of that account; undefined where logs are switched off. The
 * query is left out, because callers put anything there.
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
      ...caller,
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
