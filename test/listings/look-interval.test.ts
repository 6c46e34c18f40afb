import test from 'ava';
import { hintIntervalMs, lookIntervalMs } from '../../features/listings/rules/call-budget.ts';

const day = 86_400_000;

const plan = { settingMs: 300_000, callsPerDay: 10_000, watchedAccounts: 3, limit: 'per_method', calls: 1 } as const;

test('with calls to spare the setting decides, and hints are asked for in between', (t) => {
  t.is(lookIntervalMs(plan), 300_000);
  t.is(hintIntervalMs(plan), 75_000);
});

test('all looks of a day fit into the part of the budget that looks may use, however many accounts share it', (t) => {
  for (const limit of ['per_method', 'together'] as const)
    for (const watchedAccounts of [1, 7, 100, 5_000]) {
      const intervalMs = lookIntervalMs({ ...plan, callsPerDay: 100, watchedAccounts, limit });
      t.true((watchedAccounts * day) / intervalMs <= 60);
    }
});

test('where all calls are counted together, a look is followed by a pause for each of its calls, and no hint is asked for', (t) => {
  const together = { ...plan, callsPerDay: 100, watchedAccounts: 1, limit: 'together' } as const;
  t.is(lookIntervalMs({ ...together, calls: 3 }), 3 * lookIntervalMs(together));
  t.is(Math.round(lookIntervalMs(together) / 60_000), 24, 'minutes, for one seller at 100 calls a day');
  t.is(lookIntervalMs({ ...plan, calls: 3 }), 300_000, 'each method has calls of its own');
  t.is(hintIntervalMs(together), null);
});

test('no hint is asked for where looks come as often as calls allow', (t) => {
  t.is(hintIntervalMs({ ...plan, callsPerDay: 100, watchedAccounts: 100 }), null);
});
