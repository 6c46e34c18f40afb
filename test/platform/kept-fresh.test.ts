import test from 'ava';
import { keptFresh } from '../../platform/concurrency/kept-fresh.ts';

/** A question that notes when it is asked, and two clocks that are moved by hand. */
function stage(whileAsking: (asked: number) => void = () => undefined) {
  const clock = { monotonic: 0, wall: 1_000_000 };
  let asked = 0;
  const ask = async (): Promise<void> => {
    asked += 1;
    whileAsking(asked);
  };
  const confirm = keptFresh(ask, { monotonic: () => clock.monotonic, wall: () => clock.wall });
  return { clock, confirm, asked: () => asked };
}

test('an answer counts for three seconds, then it is asked for again', async (t) => {
  const { clock, confirm, asked } = stage();
  await confirm();
  clock.monotonic += 3_000;
  clock.wall += 3_000;
  await confirm();
  t.is(asked(), 1);
  clock.monotonic += 1;
  await confirm();
  t.is(asked(), 2);
});

test('time that only the wall clock saw counts, as of a machine that slept; a clock that is set back hides none', async (t) => {
  const { clock, confirm, asked } = stage();
  await confirm();
  clock.wall += 3_001;
  await confirm();
  t.is(asked(), 2);
  clock.monotonic += 3_001;
  clock.wall -= 60_000;
  await confirm();
  t.is(asked(), 3);
});

test('a process that is stopped while it waits for the answer asks again', async (t) => {
  const of = stage((asked) => {
    if (asked === 1) of.clock.monotonic += 60_000;
  });
  await of.confirm();
  t.is(of.asked(), 2);
});

test('what the question throws comes out, and counts for nothing', async (t) => {
  const of = stage((asked) => {
    if (asked === 1) throw new Error('revoked');
  });
  await t.throwsAsync(of.confirm(), { message: 'revoked' });
  await of.confirm();
  t.is(of.asked(), 2);
});
