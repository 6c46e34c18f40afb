import test from 'ava';
import {
  bestPart,
  differenceOf,
  revenueSeries,
  shareOf,
} from '../../web/dashboard/src/pages/overview/revenue-series.ts';
import { needsSteps, stepsOf, type Progress } from '../../web/dashboard/src/pages/overview/steps-left.ts';

const month = (begins: string, gross: number) => ({
  begins,
  gross,
  fee: gross / 10,
  net: gross * 0.9,
  orders: gross,
});

test('the chart has a place for each month, those without orders too', (t) => {
  const months = [month('2026-09-01', 100), month('2026-10-01', 0)];
  t.deepEqual(revenueSeries(months), { places: [0, 1], gross: [100, 0], net: [90, 0] });
});

test('the best month is the later one of equals, and none when nothing came in', (t) => {
  const months = [month('2026-08-01', 5), month('2026-09-01', 5), month('2026-10-01', 1)];
  t.is(bestPart(months)?.begins, '2026-09-01');
  t.is(bestPart([month('2026-10-01', 0)]), undefined);
});

test('a difference is told to the öre, and as a share of what there was', (t) => {
  t.deepEqual(differenceOf(142.4, 100.1), { by: 42.3, share: 42.3 / 100.1 });
  t.deepEqual(differenceOf(50, 200), { by: -150, share: -0.75 });
  t.deepEqual(differenceOf(50, 0), { by: 50, share: undefined });
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
