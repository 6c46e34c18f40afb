import type { Vehicle } from '../../core/vehicles/vehicle.ts';

export interface VehicleRegistry {
  /** `plate` is normalised. null: the registry knows no such plate. Throws {@link RegistryUnavailable} and nothing else. */
  lookUp(plate: string): Promise<Vehicle | null>;
  close(): Promise<void>;
}

/**
 * - `timeout`: no complete answer in time. - `unreachable`: no connection, or one that broke.
 * - `overloaded`: 429 or 5xx. - `refused`: any other HTTP error (key or address are wrong: the operator's to mend).
 * - `unusable_answer`: not JSON, not a vehicle, or another vehicle than the one asked for.
 * - `not_configured`: there is no registry; nothing was sent.
 */
export type RegistryProblem =
  | 'timeout'
  | 'unreachable'
  | 'overloaded'
  | 'refused'
  | 'unusable_answer'
  | 'not_configured';

/** There is no answer now. The message is safe to log: it holds neither the key nor what the registry said. */
export class RegistryUnavailable extends Error {
  override readonly name = 'RegistryUnavailable';
  readonly problem: RegistryProblem;
  /** When the registry said how long to stay away. */
  readonly retryAfterMs: number | null;

  constructor(problem: RegistryProblem, message: string, options: { retryAfterMs?: number | null } = {}) {
    super(message);
    this.problem = problem;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}
