import test from 'ava';
import {
  afterDelivered,
  afterGivenUp,
  afterOwnersChange,
  afterProof,
  afterRecovery,
  newEndpointLife,
  recoveryPauseMs,
  warningOf,
  type EndpointLife,
} from '../../features/webhooks/rules/disable-after-failures.ts';

const at = (seconds: number): Date => new Date(Date.UTC(2026, 10, 21) + seconds * 1_000);
const recovering: EndpointLife = { ...newEndpointLife, autoRecover: true };

/** The endpoint after so many deliveries given up, one a second. */
const failed = (life: EndpointLife, times: number): EndpointLife =>
  Array.from({ length: times }).reduce<EndpointLife>(
    (before, _, n) => afterGivenUp(before, { error: 'HTTP 500', now: at(n + 15) }),
    life,
  );

// specification: warnings-at-5-and
test('the fifteenth delivery given up in a row disables the endpoint and says why', (t) => {
  t.like(failed(newEndpointLife, 14), { active: true, failCount: 14, disabledReason: null });
  const disabled = failed(newEndpointLife, 15);
  t.like(disabled, { active: false, failCount: 15, disabledAt: at(29) });
  t.regex(disabled.disabledReason ?? '', /15 deliveries in a row .*HTTP 500/);
});

test('one delivery that gets through starts the count again', (t) => {
  const life = afterDelivered(failed(newEndpointLife, 14), at(60));
  t.like(failed(life, 14), { active: true, failCount: 14 });
});

// specification: warnings-at-5-and
test('the owner is warned from the fifth and again from the tenth on, and no more once it is disabled', (t) => {
  const levels = [0, 4, 5, 9, 10, 14, 15].map((times) => warningOf(failed(newEndpointLife, times))?.level ?? null);
  t.deepEqual(levels, [null, null, 5, 5, 10, 10, null]);
  t.regex(warningOf(failed(newEndpointLife, 6))?.message ?? '', /^6 deliveries .* at 15 .*HTTP 500/);
});

test('an endpoint without autoRecover never recovers by itself', (t) => {
  t.is(failed(newEndpointLife, 3).recoverAt, null);
  t.is(afterDelivered(failed(newEndpointLife, 3), at(60)).recoverAt, null);
});

test('an endpoint that answers again gets what it missed at once; one that never failed costs nothing', (t) => {
  t.like(afterDelivered(failed(recovering, 3), at(60)), { failCount: 0, recoverAt: at(60) });
  t.is(afterDelivered(recovering, at(60)), recovering);
});

test('a single event that is refused time and again is not sent again with every success, but later and later', (t) => {
  let life = afterDelivered(failed(recovering, 1), at(60));
  const waits: number[] = [];
  for (let run = 0; run < 9; run += 1) {
    life = afterRecovery(life, { isMissing: true, hasFailed: true, now: at(100) });
    t.is(afterDelivered(life, at(101)).recoverAt, life.recoverAt, 'a success changes nothing while failCount is 0');
    waits.push(((life.recoverAt?.getTime() ?? 0) - at(100).getTime()) / 1_000);
  }
  t.deepEqual(waits, [30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600]);
});

test('a failing endpoint is tried again 30 s after its first failure, not later because of the next ones', (t) => {
  t.deepEqual(failed(recovering, 5).recoverAt, new Date(at(15).getTime() + recoveryPauseMs(0)));
});

test('a disabled endpoint recovers nothing until its owner enables it, and then at once', (t) => {
  const disabled = failed(recovering, 15);
  t.is(disabled.recoverAt, null);
  t.is(afterProof(disabled, at(60)).recoverAt, null, 'a test that gets through does not enable it');
  const enabled = afterOwnersChange(disabled, { active: true }, at(90));
  t.like(enabled, { active: true, failCount: 0, disabledReason: null, disabledAt: null, recoverAt: at(90) });
});

test('one that its owner disabled looks for what it missed when it is enabled, whatever was known before', (t) => {
  const off = afterOwnersChange(recovering, { active: false }, at(5));
  t.like(off, { active: false, recoverAt: null });
  const ended = afterRecovery(off, { isMissing: false, hasFailed: true, now: at(6) });
  t.like(afterOwnersChange(ended, { active: true }, at(50)), { active: true, recoverAt: at(50) });
});

test('what gets through to a disabled endpoint changes nothing of why it was disabled', (t) => {
  const disabled = failed(recovering, 15);
  t.is(afterDelivered(disabled, at(60)), disabled);
});

test('switching autoRecover on recovers what was missed before, off forgets the plan', (t) => {
  const on = afterOwnersChange(failed(newEndpointLife, 2), { autoRecover: true }, at(30));
  t.like(on, { autoRecover: true, recoverAt: at(30) });
  t.like(afterOwnersChange(on, { autoRecover: false }, at(31)), { autoRecover: false, recoverAt: null });
  t.is(afterOwnersChange(on, { autoRecover: true }, at(31)).recoverAt, on.recoverAt, 'saying so again changes nothing');
});

test('a run that leaves nothing missed clears the plan, but looks once more a minute after enabling', (t) => {
  const ended = { isMissing: false, hasFailed: false };
  t.like(afterRecovery(failed(recovering, 2), { ...ended, now: at(60) }), { recoverAt: null, recoverTries: 0 });
  const enabled = afterOwnersChange(failed(recovering, 15), { active: true }, at(90));
  const early = afterRecovery(enabled, { ...ended, now: at(95) });
  t.like(early, { recoverAt: at(150) });
  t.like(afterRecovery(early, { ...ended, now: at(151) }), { recoverAt: null, enabledAt: null });
});

test('what is still missed after a run in which nothing failed is looked for half a minute later', (t) => {
  const life = afterRecovery(failed(recovering, 2), { isMissing: true, hasFailed: false, now: at(60) });
  t.like(life, { recoverAt: at(90), recoverTries: 0 });
});
