import test from 'ava';
import { accountId } from '../../features/rules/ids.ts';
import { rememberingMembers } from '../../features/operations/find-account.ts';

const [now, account] = [new Date('2026-03-02T09:15:00Z'), accountId('a1')];

test('many who ask at once cause one query, and who asks later none', async (t) => {
  let queries = 0;
  const memberOf = rememberingMembers(
    () => {
      queries += 1;
      return Promise.resolve('KUND-7');
    },
    () => now,
  );
  t.deepEqual(await Promise.all([memberOf(account), memberOf(account), memberOf(account)]), Array(3).fill('KUND-7'));
  t.is(await memberOf(account), 'KUND-7');
  t.is(queries, 1);
});

test('an answer that failed is not kept', async (t) => {
  const answers = [Promise.reject(new Error('away')), Promise.resolve('KUND-7')];
  const memberOf = rememberingMembers(
    () => answers.shift() ?? Promise.resolve(null),
    () => now,
  );
  await t.throwsAsync(memberOf(account), { message: 'away' });
  t.is(await memberOf(account), 'KUND-7');
});
