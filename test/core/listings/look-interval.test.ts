import test from 'ava';
import { lookIntervalMs } from '../../../core/listings/call-budget.ts';

const day = 86_400_000;

test('with calls to spare the setting decides', (t) => {
  t.is(lookIntervalMs({ settingMs: 300_000, callsPerDay: 10_000, watchedAccounts: 3 }), 300_000);
});

test('all looks of a day fit into the budget, however many accounts share it', (t) => {
  for (const watchedAccounts of [1, 7, 100, 5_000]) {
    const intervalMs = lookIntervalMs({ settingMs: 300_000, callsPerDay: 100, watchedAccounts });
    t.true((watchedAccounts * day) / intervalMs <= 100);
  }
});
