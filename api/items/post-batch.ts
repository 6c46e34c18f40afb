import { applyBatch } from '../../usecases/items/apply-batch.ts';
import { refusalStatus } from '../../core/errors.ts';
import { readBatch, readBatchRow, type BatchRow } from '../../schemas/items/batch-request.ts';
import type { BatchResult } from '../../schemas/items/batch-response.ts';
import type { LineResult } from '../../usecases/items/apply-lines.ts';
import type { Answer, ScopedCall } from '../http/route.ts';
import { readValidateOnly } from '../http/validate-only.ts';
import { upsertMessages } from './upsert-messages.ts';

/** Of the rate limit, a call is worth as many as there are tens of rows. */
const rowsPerPoint = 10;

/** 200 with one result for each row: bad rows fail alone. */
export async function postBatch(call: ScopedCall): Promise<Answer> {
  const validateOnly = readValidateOnly(call);
  const sent = readBatch(call.body);
  await call.charge(Math.ceil(sent.length / rowsPerPoint));
  const rows = sent.map(readBatchRow);
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
