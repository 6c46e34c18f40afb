import test from 'ava';
import { DeterminismViolationError } from '@temporalio/workflow';
import { Worker, type WorkflowBundleOption } from '@temporalio/worker';
import { readHistories, replayable, type RecordedHistory } from '../histories/history-files.ts';
import { changedBundle } from './support/changed-bundle.ts';
import { silenceTemporal } from '../support/silence-temporal.ts';

// Runs that began under released code must go on under the present one. test/histories/README.md says what to do when these fail.

silenceTemporal();
const histories = readHistories();
const present: WorkflowBundleOption = { codePath: process.env['TEST_WORKFLOW_BUNDLE'] ?? '' };

const named = (name: string): RecordedHistory[] => {
  const found = histories.filter((history) => history.name.endsWith(`/${name}`));
  if (found.length === 0) throw new Error(`there is no history ${name}`);
  return found;
};

const runIdOf = ({ events }: RecordedHistory): unknown => {
  const started = events[0]?.['workflowExecutionStartedEventAttributes'] as { originalExecutionRunId?: string };
  return started.originalExecutionRunId;
};

/** The histories that the code can't go on with, by their workflow and what it said. */
async function refusedBy(workflowBundle: WorkflowBundleOption, recorded: readonly RecordedHistory[]) {
  const refused: { name: string | undefined; error: Error }[] = [];
  for await (const { workflowId, runId, error } of Worker.runReplayHistories(
    { workflowBundle },
    recorded.map(replayable),
  )) {
    if (error === undefined) continue;
    const history = recorded.find((one) => one.workflowId === workflowId && runIdOf(one) === runId);
    refused.push({ name: history?.name, error });
  }
  return refused;
}

test('every run ever recorded goes on under the present workflow code', async (t) => {
  const refused = await refusedBy(present, histories);
  t.deepEqual(
    refused.map(({ name, error }) => `${name ?? 'unknown'}: ${error.message}`),
    [],
  );
});

test('the histories have every activity, a wait, a pause and a new run, so that no branch goes unrecorded', (t) => {
  const text = histories.map(({ events }) => JSON.stringify(events)).join('\n');
  const scheduled = new Set([...text.matchAll(/"activityType":\{"name":"(\w+)"\}/g)].map(([, name]) => name));
  t.deepEqual([...scheduled].sort(), [
    'applyChunk',
    'attemptDelivery',
    'endBulk',
    'enrichItem',
    'goLive',
    'planBulk',
    'prepareListing',
    'processImages',
    'sendPrice',
    'takeDown',
    'workReceiver',
  ]);
  for (const kind of [
    'MARKER_RECORDED',
    'TIMER_FIRED',
    'TIMER_CANCELED',
    'UPSERT_WORKFLOW_SEARCH_ATTRIBUTES',
    'ACTIVITY_TASK_FAILED',
    'WORKFLOW_EXECUTION_SIGNALED',
    'WORKFLOW_EXECUTION_CONTINUED_AS_NEW',
    'WORKFLOW_EXECUTION_COMPLETED',
  ]) {
    t.true(text.includes(`"EVENT_TYPE_${kind}"`), kind);
  }
});

test('the histories tell nothing about the machine they were recorded on', (t) => {
  for (const { name, events } of histories) {
    const text = JSON.stringify(events);
    t.notRegex(text, /stackTrace|\d@[a-z]|node_modules/, name);
    const payloads = [...text.matchAll(/"data":"([^"]+)"/g)].map(([, data]) =>
      Buffer.from(data ?? '', 'base64').toString(),
    );
    t.notRegex(payloads.join('\n'), /node_modules|"stack/, name);
  }
});

/** What somebody might do to a workflow without thinking of the runs that are under way. */
const breakingChanges = {
  'a step done by another activity': {
    from: '.processImages(item)',
    to: '.enrichItem(item)',
    history: 'published-with-images',
  },
  'another step before the known one': {
    from: 'return advanceItem(item);',
    to: 'await advanceItem(item); return advanceItem(item);',
    history: 'enriched',
  },
  'a pause left out': {
    from: 'asked.retries > retries, pauseMs',
    to: '(pauseMs, true), pauseMs',
    history: 'step-failed',
  },
  'a wait that no longer sets search attributes': {
    from: 'const isListed = step.forMs > 5000',
    to: 'const isListed = step.forMs > 1e12',
    history: 'waits-for-reconnection',
  },
  'a new run begun earlier': { from: 'signals > signalsMax', to: 'signals > 0', history: 'repriced' },
  'a delivery that makes no attempt': {
    from: 'await attemptDelivery(delivery, attempt)',
    to: "'failed'",
    history: 'three-failures',
  },
  'a receiver in trouble that is not waited for': {
    from: 'isSignalled, step.lookAgainMs',
    to: '() => true, step.lookAgainMs',
    history: 'disabled-then-recovered',
  },
};

for (const [what, { from, to, history }] of Object.entries(breakingChanges)) {
  test(`${what} is refused by the runs that are under way`, async (t) => {
    const refused = await refusedBy(changedBundle(from, to), named(history));
    t.deepEqual(
      refused.map(({ name }) => name),
      named(history).map(({ name }) => name),
    );
    t.true(refused[0]?.error instanceof DeterminismViolationError, refused[0]?.error.message);
  });
}

for (const [what, { from, to, history }] of Object.entries({
  'what an operator reads': {
    from: 'Looking at what the item owes.',
    to: 'Having a look.',
    history: 'published-with-images',
  },
  'the length of a pause': { from: '(failures, 1000, 60000)', to: '(failures, 1400, 60000)', history: 'step-failed' },
  'the time-outs of an activity': { from: "'2 minutes'", to: "'3 minutes'", history: 'enriched' },
})) {
  test(`${what} may change while runs are under way`, async (t) => {
    t.deepEqual(await refusedBy(changedBundle(from, to), named(history)), []);
  });
}
