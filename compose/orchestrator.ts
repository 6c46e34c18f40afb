import type { Orchestrator } from '../gateways/orchestrator/port.ts';
import { createTemporalOrchestrator } from '../gateways/orchestrator/temporal-orchestrator.ts';
import { createMemberReferences, namingMembers } from '../usecases/operations/member-references.ts';
import type { Config } from '../platform/config.ts';
import type { Foundation } from './foundation.ts';

/** The durable engine, told with everything that it starts which member it is about. */
export const composeOrchestrator = ({
  client,
  config,
  store,
  now,
  instead,
}: Pick<Foundation, 'client' | 'store' | 'now' | 'instead'> & {
  readonly config: Pick<Config, 'temporal'>;
}): Orchestrator =>
  instead?.orchestrator ??
  namingMembers(createTemporalOrchestrator(client, config.temporal.taskQueue), createMemberReferences(store, now));
