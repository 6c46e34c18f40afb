import test from 'ava';
import {
  bestMonth,
  hasRevenue,
  middleOf,
  revenueSeries,
  shareOf,
} from '../../web/dashboard/src/pages/overview/revenue-series.ts';
import { needsSteps, stepsOf, type Progress } from '../../web/dashboard/src/pages/overview/steps-left.ts';

const month = (name: string, gross: number) => ({
  month: name,
  gross,
  fee: gross / 10,
  net: gross * 0.9,
  orders: gross,
});

test('the chart has a place for each month, those without orders too', (t) => {
  const months = [month('2026-09', 100), month('2026-10', 0)];
  t.deepEqual(revenueSeries(months), { places: [0, 1], gross: [100, 0], net: [90, 0] });
  t.true(hasRevenue(months));
  t.false(hasRevenue([month('2026-10', 0)]));
});

test('the best month is the later one of equals, and none when nothing came in', (t) => {
  t.is(bestMonth([month('2026-08', 5), month('2026-09', 5), month('2026-10', 1)])?.month, '2026-09');
  t.is(bestMonth([month('2026-10', 0)]), undefined);
});

test('a month is the same in every time zone', (t) => {
  t.is(middleOf('2026-02'), '2026-02-15T12:00:00Z');
});

test('a bar is as long as its share of the largest; what is there at all is seen', (t) => {
  t.is(shareOf(50, 200), 0.25);
  t.is(shareOf(0.01, 1_000_000), 0.01);
  t.is(shareOf(0, 100), 0);
  t.is(shareOf(0, 0), 0);
});

const nothing: Progress = { hasKey: false, hasItems: false, isConnected: false, hasWebhook: false };

test('the first step that is not done is the next one', (t) => {
  const steps = stepsOf({ ...nothing, hasKey: true, isConnected: true });
  t.deepEqual(
    steps.map(({ name, isDone, isNext }) => [name, isDone, isNext]),
    [
      ['key', true, false],
      ['push', false, true],
      ['connect', true, false],
      ['webhook', false, false],
    ],
  );
});

test('a key that was revoked after a push was a key', (t) => {
  t.true(stepsOf({ ...nothing, hasItems: true })[0]?.isDone);
});

test('the steps are shown until all are done, or all but the webhook of an account that sells', (t) => {
  const sending = { hasKey: true, hasItems: true, isConnected: true, hasWebhook: false };
  t.true(needsSteps(nothing, false));
  t.true(needsSteps(sending, false));
  t.false(needsSteps(sending, true));
  t.false(needsSteps({ ...sending, hasWebhook: true }, false));
  t.true(needsSteps({ ...sending, isConnected: false }, true));
});
