import { EventEmitter, once } from 'node:events';
import test from 'ava';
import { Refusal } from '../../core/errors.ts';
import { accountId, itemId, type AccountId } from '../../core/ids.ts';
import type { Scope } from '../../core/scope.ts';
import { applyBatch } from '../../usecases/items/apply-batch.ts';
import type { LineBatch, LineResult } from '../../usecases/items/apply-lines.ts';
import { anItemRequest } from '../support/an-item-request.ts';

const reseller = accountId('reseller');
const scope: Scope = {
  accountId: reseller,
  actingAccountId: reseller,
  credential: { kind: 'api-key', keyId: 'key-1' },
};
const rows = ['m1', 'm2', 'm3', 'm4', 'm5', 'm6'].map((account) => ({
  account,
  externalId: 'A',
  request: anItemRequest(),
}));

test('a batch that fails for one account is answered when none is at work any more, and begins no other', async (t) => {
  const [begun, ended]: [AccountId[], AccountId[]] = [[], []];
  const slow = new EventEmitter();
  const refusal = new Refusal('UNAUTHORIZED', 'The key was revoked');
  const applyLines = async (of: Scope, { lines }: LineBatch): Promise<readonly LineResult[]> => {
    begun.push(of.accountId);
    if (of.accountId === accountId('m2')) throw refusal;
    await once(slow, 'go on');
    ended.push(of.accountId);
    return lines.map(({ line }) => ({ line, outcome: 'created', itemId: itemId('i'), revision: 1, warnings: [] }));
  };
  const findMember = (_reseller: AccountId, reference: string) => Promise.resolve(accountId(reference));
  let isAnswered = false;
  const answered = applyBatch({ applyLines, findMember }, scope, { rows }).finally(() => {
    isAnswered = true;
  });
  const failed = t.throwsAsync(answered, { is: refusal });
  await new Promise((resolve) => setImmediate(resolve));
  t.false(isAnswered);
  slow.emit('go on');
  await failed;
  t.deepEqual(begun, ['m1', 'm2', 'm3', 'm4'].map(accountId));
  t.deepEqual(ended, ['m1', 'm3', 'm4'].map(accountId));
});
