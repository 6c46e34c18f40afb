import { randomUUID } from 'node:crypto';
import test from 'ava';
import { accountId } from '../../features/rules/ids.ts';
import { createTemporalOrchestrator } from '../../gateways/orchestrator/temporal-orchestrator.ts';
import type { ExplainedReceiver } from '../../features/operations/rules/explain-wait.ts';
import type { ReceiverStep, ReceiverWish } from '../../features/webhooks/work-receiver.ts';
import { receiverWorkflowId } from '../../workflows/contracts/workflows.ts';
import { blockedReasonKey, endpointKey, stageKey } from '../../workflows/contracts/search-attributes.ts';
import { until } from '../support/until.ts';
import { heldBack, soon, type Answer } from './support/calls.ts';
import { startTemporalWithShortHistories } from './support/own-temporal.ts';
import { detailsOf } from './support/scripted-item.ts';
import { eventsOf, startOnServer, type WorkflowHosts } from './support/time-skipping.ts';

/** What each call for a target finds, one after the other. */
const looks = new Map<string, Answer<ReceiverStep>[]>();
/** Whether each call might have been the last. */
const asked = new Map<string, boolean[]>();
let server: Awaited<ReturnType<typeof startTemporalWithShortHistories>>;
let hosts: WorkflowHosts;
test.before(async () => {
  server = await startTemporalWithShortHistories(20);
  const workReceiver = async ({ target: { target }, mayEnd }: ReceiverWish): Promise<ReceiverStep> => {
    asked.set(target, [...(asked.get(target) ?? []), mayEnd]);
    const answer = looks.get(target)?.shift();
    if (answer === undefined) throw new Error(`one look too many at ${target}`);
    if (answer instanceof Error) throw answer;
    return answer instanceof Function ? answer(target) : answer;
  };
  hosts = await startOnServer(server.address, { kinds: ['deliveries', 'receivers'], activities: { workReceiver } });
});
test.after.always(async () => {
  await hosts.stop();
  await server.stop();
});

const trouble: ExplainedReceiver = {
  reason: 'endpoint_disabled',
  target: 'e1',
  origin: 'https://erp.example',
  since: '2026-11-25T08:00:00.000Z',
  waiting: 3,
  oldestAt: '2026-11-25T08:01:00.000Z',
  retrying: 2,
  nextAttemptAt: '2026-11-25T08:02:00.000Z',
  failCount: 15,
  disabledAt: 15,
  missed: 40,
  lastError: 'HTTP 503',
};
const rests: ReceiverStep = { kind: 'rests', trouble, lookAgainMs: 600_000 };
const quiet: ReceiverStep = { kind: 'quiet' };
const ended: ReceiverStep = { kind: 'ended' };

async function signalled(...answers: Answer<ReceiverStep>[]) {
  const target = randomUUID();
  looks.set(target, answers);
  const orchestrator = createTemporalOrchestrator(hosts.client, hosts.taskQueue);
  const signal = (): Promise<void> => orchestrator.signalReceiver({ target, accountId: accountId(randomUUID()) });
  await signal();
  const workflowId = receiverWorkflowId(target);
  const handle = hosts.client.workflow.getHandle(workflowId);
  const shown = async () => {
    const { typedSearchAttributes: attributes } = await handle.describe();
    return [stageKey, blockedReasonKey, endpointKey].map((key) => attributes.get(key));
  };
  return { target, workflowId, handle, signal, shown, left: () => looks.get(target)?.length ?? 0 };
}

test.serial(
  'a receiver in trouble is found by its reason, shows its queue, and ends when nothing is wrong',
  async (t) => {
    const { target, workflowId, handle, signal, shown } = await signalled(rests, ended);
    await until('its reason is shown', async () => (await shown())[1] === 'endpoint_disabled');
    t.deepEqual(await shown(), ['waiting', 'endpoint_disabled', target]);
    const details = await detailsOf(hosts.client, workflowId);
    for (const told of [
      '`endpoint_disabled`',
      '3, the oldest since',
      '2, the next attempt at',
      '40 events',
      'HTTP 503',
    ])
      t.true(details.includes(told), details);
    await signal();
    await soon('its end', handle.result());
    t.is((await handle.describe()).status.name, 'COMPLETED');
  },
);

test.serial('a signal that comes while nothing is found wrong is not lost: it is looked again', async (t) => {
  const look = heldBack<ReceiverStep>(ended);
  const { handle, signal, left } = await signalled(look.answer, ended);
  await look.arrived();
  await signal();
  look.release();
  await soon('its end', handle.result());
  t.is(left(), 0);
});

test.serial('a look that fails is made again, and the workflow does not fail', async (t) => {
  const { handle, left } = await signalled(new Error('no primary'), ended);
  await soon('its end', handle.result());
  t.is(left(), 0);
});

test.serial('it ends after a second look that found nothing, six seconds after the first', async (t) => {
  const { target, handle, left } = await signalled({ kind: 'sends', trouble: null }, quiet, ended);
  const { startTime } = await handle.describe();
  await soon('its end', handle.result());
  t.is(left(), 0);
  t.deepEqual(asked.get(target), [false, false, true]);
  const { closeTime } = await handle.describe();
  t.true((closeTime?.getTime() ?? 0) - startTime.getTime() >= 6_000);
});

test.serial('a signal between two quiet looks makes the next one not the last', async (t) => {
  const { target, handle, signal, left } = await signalled(quiet, quiet, ended);
  await until('the first look is made', async () => asked.get(target)?.length === 1);
  await signal();
  await soon('its end', handle.result());
  t.is(left(), 0);
  t.deepEqual(asked.get(target), [false, false, true]);
});

test.serial('trouble that lasts goes on in new runs, each of which shows its reason anew', async (t) => {
  const shortly: ReceiverStep = { kind: 'rests', trouble, lookAgainMs: 1 };
  const { workflowId, handle, left } = await signalled(...Array.from({ length: 12 }, () => shortly), ended);
  await soon('its end', handle.result());
  t.is(left(), 0);
  const events = await eventsOf(hosts.client, workflowId);
  const started = events[0]?.workflowExecutionStartedEventAttributes;
  t.truthy(started?.continuedExecutionRunId);
  t.true(events.length < 40, `${events.length} events`);
  const before = await eventsOf(hosts.client, workflowId, started?.continuedExecutionRunId ?? '');
  t.is(before.filter((event) => event.upsertWorkflowSearchAttributesEventAttributes != null).length, 2);
});
