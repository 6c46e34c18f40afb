import test from 'ava';
import { createEndpointHealth } from '../../usecases/deliveries/endpoint-health.ts';

const cheap = { onlyIfCheap: true };
const queued = { onlyIfCheap: false };
const fast = { succeeded: true, durationMs: 5 };

function aHealthyTarget() {
  const health = createEndpointHealth();
  health.tryBegin('target', queued);
  health.end('target', fast);
  return health;
}

test('a target that nothing is known of gets no cheap attempt', (t) => {
  t.false(createEndpointHealth().tryBegin('target', cheap));
});

test('of a burst to a target that was fast only eight attempts are cheap, and another target is not affected', (t) => {
  const health = aHealthyTarget();
  health.tryBegin('other', queued);
  health.end('other', fast);
  const begun = Array.from({ length: 60 }, () => health.tryBegin('target', cheap));
  t.is(begun.filter(Boolean).length, 8);
  t.true(health.tryBegin('other', cheap));
});

for (const [what, attempt] of Object.entries({
  'that failed': { succeeded: false, durationMs: 5 },
  'that took longer than a second': { succeeded: true, durationMs: 1_001 },
})) {
  test(`after an attempt ${what} none is cheap until one was fast again`, (t) => {
    const health = aHealthyTarget();
    t.true(health.tryBegin('target', cheap));
    health.end('target', attempt);
    t.false(health.tryBegin('target', cheap));
    t.true(health.tryBegin('target', queued));
    health.end('target', fast);
    t.true(health.tryBegin('target', cheap));
  });
}

test('an attempt that was not sent says nothing about its target', (t) => {
  const health = aHealthyTarget();
  t.true(health.tryBegin('target', cheap));
  health.end('target', undefined);
  t.true(health.tryBegin('target', cheap));
});
