import test from 'ava';
import { nextSummaryAt } from '../../features/mail/rules/weekly-summary.ts';

const next = (now: string): string => nextSummaryAt(new Date(now)).toISOString();

test('the next summary is at seven on Monday in Stockholm, in winter and in summer', (t) => {
  t.is(next('2026-11-25T19:30:00Z'), '2026-11-30T06:00:00.000Z');
  t.is(next('2026-07-03T00:00:00Z'), '2026-07-06T05:00:00.000Z');
});

test('the summary after one is a week later on the clock, across both changes of the clock', (t) => {
  t.is(next('2026-11-30T06:00:00Z'), '2026-12-07T06:00:00.000Z');
  t.is(next('2026-03-23T06:00:00Z'), '2026-03-30T05:00:00.000Z');
  t.is(next('2026-10-19T05:00:00Z'), '2026-10-26T06:00:00.000Z');
});
