import { readRequestLogQuery } from '../../schemas/partner/request-log.ts';
import { readRequestLog } from '../../usecases/request-log/request-log.ts';
import type { Answer, ScopedCall } from '../http/route.ts';

/** Returns the last calls with the account's keys, refused ones included. */
export async function getRequestLog({ context, scope, query }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await readRequestLog(context, scope, readRequestLogQuery(query)) };
}
