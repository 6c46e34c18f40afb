import type { Orchestrator } from '../gateways/orchestrator/port.ts';
import { createTemporalOrchestrator } from '../gateways/orchestrator/temporal-orchestrator.ts';
import { createMemberReferences, namingMembers } from '../usecases/operations/member-references.ts';
import type { Config } from '../platform/config.ts';
import { now, type Foundation } from './foundation.ts';

/** The durable engine, told with everything that it starts which member it is about. */
export const composeOrchestrator = ({
  client,
  config,
  store,
}: Pick<Foundation, 'client' | 'store'> & {
  readonly config: Pick<Config, 'temporal'>;
}): Orchestrator =>
  namingMembers(createTemporalOrchestrator(client, config.temporal.taskQueue), createMemberReferences(store, now));
