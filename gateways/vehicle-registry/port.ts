import type { Vehicle } from '../../features/vehicles/rules/vehicle.ts';

export interface VehicleRegistry {
  /** `plate` is normalised. null: the registry knows no such plate. Throws {@link RegistryUnavailable} and nothing else. */
  lookUp(plate: string): Promise<Vehicle | null>;
  close(): Promise<void>;
}

/**
 * - `timeout`: no complete answer in time. - `unreachable`: no connection, or a broken one. - `overloaded`: 5xx.
 * - `limit_reached`: 429, the registry takes no more calls of us for a while. - `refused`: any other HTTP error (wrong key, plan or
 * address, to be corrected by the operator). - `unusable_answer`: not JSON, not a vehicle, or another vehicle than the requested one.
 */
export type RegistryProblem =
  | 'timeout'
  | 'unreachable'
  | 'overloaded'
  | 'limit_reached'
  | 'refused'
  | 'unusable_answer';

/** The registry gave no answer. The message is safe to log: it holds neither the key nor the registry's own message. */
export class RegistryUnavailable extends Error {
  override readonly name = 'RegistryUnavailable';
  readonly problem: RegistryProblem;
  /** Wait requested by the registry; null without one. */
  readonly retryAfterMs: number | null;

  constructor(problem: RegistryProblem, message: string, options: { retryAfterMs?: number | null } = {}) {
    super(message);
    this.problem = problem;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}
