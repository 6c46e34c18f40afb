import type { EngineOperations } from '../../gateways/orchestrator/operations-port.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import type { Ring } from '../../store/dispatch/doorbell.ts';

/** Dependencies of the operators' commands: the database, and the engine if it can be reached. */
export interface OperationsContext {
  readonly store: StoreConnection;
  readonly engine: EngineOperations;
  readonly ring: Ring;
  readonly now: () => Date;
}
