import test from 'ava';
import { sharedFor } from '../../platform/concurrency/kept-fresh.ts';

test('all who ask within the time share one outcome, those who ask while it is being found too', async (t) => {
  let runs = 0;
  const ask = sharedFor(60_000, () => Promise.resolve((runs += 1)));
  t.deepEqual(await Promise.all([ask(), ask()]), [1, 1]);
  t.is(await ask(), 1);
});

test('after the time it is found anew', async (t) => {
  let runs = 0;
  const ask = sharedFor(0, () => Promise.resolve((runs += 1)));
  await ask();
  t.is(await ask(), 2);
});
