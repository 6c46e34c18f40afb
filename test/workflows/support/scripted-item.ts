import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { accountId, itemId, type ItemId } from '../../../features/rules/ids.ts';
import type { ItemActivities, NamedItem } from '../../../activities/activities.ts';
import type { Advance } from '../../../features/items/advance-item.ts';
import { createTemporalOrchestrator } from '../../../gateways/orchestrator/temporal-orchestrator.ts';
import { itemWorkflowId, retrySignalName } from '../../../workflows/contracts/workflows.ts';
import { blockedReasonKey, externalIdKey, stageKey } from '../../../workflows/contracts/search-attributes.ts';
import { presentCall, soon, type Call } from './calls.ts';
import type { WorkflowHosts } from './time-skipping.ts';

type Answers = {
  [Name in keyof ItemActivities]?: (argument?: unknown) => ReturnType<ItemActivities[Name]>;
};

export interface ScriptedItem {
  readonly id: ItemId;
  /** What its activities are given. */
  readonly named: NamedItem;
  readonly workflowId: string;
  /** Every call of an activity for this item, oldest first. */
  readonly calls: readonly Call[];
  /** Names of the activities called, oldest first. */
  names(): string[];
  count(activity: keyof ItemActivities): number;
  /** What the document says now. */
  look(): Promise<Advance>;
  /** Signal-with-start, as a process does it after its commit. */
  signal(): Promise<void>;
  /** What an operator sends from the Temporal UI. */
  retry(): Promise<void>;
  /** Skips time until the item's life has come to its end. */
  ended(): Promise<void>;
  /** What an operator reads in the workflow's details. */
  details(): Promise<string>;
  attributes(): Promise<{ externalId: unknown; stage: unknown; blockedReason: unknown }>;
}

/** Answers for the activities of any number of items, each with a script of its own. */
export function createScripts(): {
  readonly activities: object;
  item(hosts: WorkflowHosts, answers: Answers): ScriptedItem;
} {
  const scripts = new Map<string, Script>();
  const activity =
    (name: keyof ItemActivities) =>
    async (argument: string | { itemId: string }): Promise<unknown> => {
      const script = scripts.get(typeof argument === 'string' ? argument : argument.itemId);
      script?.calls.push(presentCall(argument));
      const answer = script?.answers[name];
      if (answer === undefined) throw new Error(`the test has no answer for ${name}`);
      return answer(argument);
    };
  const names = [
    ...(['advanceItem', 'retryItem', 'processImages', 'enrichItem'] as const),
    ...(['prepareListing', 'goLive', 'sendPrice', 'takeDown'] as const),
  ];
  return {
    activities: Object.fromEntries(names.map((name) => [name, activity(name)])),
    item: (hosts, answers) => {
      const id = itemId(randomUUID());
      const script = { answers, calls: [] };
      scripts.set(id, script);
      return scriptedItem(hosts, id, script);
    },
  };
}

interface Script {
  readonly answers: Answers;
  readonly calls: Call[];
}

function scriptedItem({ client, taskQueue }: WorkflowHosts, id: ItemId, { answers, calls }: Script): ScriptedItem {
  const workflowId = itemWorkflowId(id);
  const orchestrator = createTemporalOrchestrator(client, taskQueue);
  const account = accountId(randomUUID());
  return {
    id,
    named: { itemId: id, accountId: account },
    workflowId,
    calls,
    names: () => calls.map(({ activity }) => activity),
    count: (activity) => calls.filter((call) => call.activity === activity).length,
    look: async () => {
      if (answers.advanceItem === undefined) throw new Error('the test has no document');
      return answers.advanceItem(id);
    },
    signal: () => orchestrator.signalItem({ itemId: id, accountId: account, externalId: 'A1' }),
    retry: () => client.workflow.getHandle(workflowId).signal(retrySignalName),
    ended: async () => {
      await soon('the end of the workflow', client.workflow.getHandle(workflowId).result());
    },
    details: () => detailsOf(client, workflowId),
    attributes: async () => {
      const { typedSearchAttributes: attributes } = await client.workflow.getHandle(workflowId).describe();
      // A server says "no value" by leaving it out, the other by null.
      const [externalId, stage, blockedReason] = [externalIdKey, stageKey, blockedReasonKey].map(
        (key) => attributes.get(key) ?? undefined,
      );
      return { externalId, stage, blockedReason };
    },
  };
}

export async function detailsOf(client: Client, workflowId: string): Promise<string> {
  const handle = client.workflow.getHandle(workflowId);
  const { currentDetails } = await handle.query<{ currentDetails?: string }>('__temporal_workflow_metadata');
  return currentDetails ?? '';
}
