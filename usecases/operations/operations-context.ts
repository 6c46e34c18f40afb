import type { Orchestrator } from '../../gateways/orchestrator/port.ts';
import type { EngineOperations } from '../../gateways/orchestrator/operations-port.ts';
import type { StoreConnection } from '../../store/database/connection.ts';

/** Dependencies of the operators' commands: the database, and the engine if it can be reached. */
export interface OperationsContext {
  readonly store: StoreConnection;
  readonly engine: EngineOperations;
  readonly orchestrator: Orchestrator;
  readonly now: () => Date;
}
