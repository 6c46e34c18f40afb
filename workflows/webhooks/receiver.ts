import {
  condition,
  continueAsNew,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  workflowInfo,
} from '@temporalio/workflow';
import type { ReceiverActivities } from '../../activities/activities.ts';
import { explainReceiver } from '../../features/operations/rules/explain-wait.ts';
import { createAttempts, failed, isLongEnough, listen, type Asked } from '../attempt-step.ts';
import { createVisibility, type Visibility } from '../visibility.ts';
import { siblingQueue, type ReceiverInput } from '../contracts/workflows.ts';

const { retryReceiver } = proxyLocalActivities<ReceiverActivities>({
  startToCloseTimeout: '20 seconds',
  retry: { initialInterval: '250 milliseconds', maximumAttempts: 3 },
});

/** A transaction that read the target before it changed may be committed so long after. */
const settlesMs = 6_000;

type Step = Awaited<ReturnType<ReceiverActivities['workReceiver']>>;

/**
 * One receiver with something to send: a burst, a receiver in trouble, and what it has missed. Its activity sends batch after batch;
 * the workflow begins it again, and shows operators what waits and why. `retry` enables what the service disabled, and starts a
 * recovery. It ends when two looks have found nothing, six seconds apart, and no signal came between.
 */
export async function receiver(target: ReceiverInput): Promise<void> {
  const asked = listen();
  const shown = createVisibility('sending');
  const attempt = createAttempts(shown, asked);
  let says = 'Sending what waits.';
  let mayEnd = false;
  for (;;) {
    const { signals: signalsSeen, retries } = asked;
    const isSignalled = (): boolean => asked.signals > signalsSeen;
    const step = await attempt({ kind: 'send', says, failuresUntilShown: 1 }, async () => {
      asked.isInVain = retries > asked.retriesDone && (await retryReceiver(target)) === 'nothing_to_retry';
      asked.retriesDone = retries;
      return workOn().workReceiver({ target, mayEnd });
    });
    mayEnd = false;
    if (step !== failed) {
      // Nothing is awaited between this comparison and the end, so no signal can be missed.
      if (step.kind === 'ended' && !isSignalled()) {
        end(shown);
        return;
      }
      says = show(step, shown, asked);
      mayEnd = await waitAfter(step, isSignalled);
    }
    // A new run would begin with two looks again.
    if (!mayEnd && isLongEnough(asked)) {
      // Search attributes carry over to the next run, which would not know that it must clear them.
      shown.clear();
      await continueAsNew<typeof receiver>(target);
    }
  }
}

/** Waits until the next look. Returns whether that one may be the last. */
async function waitAfter(step: Step, isSignalled: () => boolean): Promise<boolean> {
  if (step.kind === 'rests')
    await condition(isSignalled, step.lookAgainMs, { summary: `looks again: ${step.trouble.reason}` });
  return step.kind === 'quiet' && !(await condition(isSignalled, settlesMs, { summary: 'the last look' }));
}

function end(shown: Visibility): void {
  setCurrentDetails('The receiver has what it should have.');
  shown.clear();
}

/** Shows operators the trouble of a step; returns what to say while the next one works. */
function show(step: Step, shown: Visibility, { isInVain }: Asked): string {
  if (!('trouble' in step) || step.trouble === null) {
    shown.clear();
    return 'Sending what waits.';
  }
  const says = explainReceiver({ ...step.trouble, isRetryInVain: isInVain });
  setCurrentDetails(says);
  shown.set({ stage: 'waiting', reason: step.trouble.reason });
  return says;
}

const workOn = (): ReceiverActivities =>
  proxyActivities<ReceiverActivities>({
    taskQueue: siblingQueue(workflowInfo().taskQueue, 'receivers'),
    startToCloseTimeout: '90 seconds',
    heartbeatTimeout: '8 seconds',
    retry: { initialInterval: '250 milliseconds', maximumAttempts: 5 },
    summary: 'send what waits and what was missed',
  });
