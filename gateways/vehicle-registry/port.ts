import type { Vehicle } from '../../core/vehicles/vehicle.ts';

export interface VehicleRegistry {
  /** `plate` is normalised. null: the registry knows no such plate. Throws {@link RegistryUnavailable} and nothing else. */
  lookUp(plate: string): Promise<Vehicle | null>;
  close(): Promise<void>;
}

/**
 * - `timeout`: no complete answer in time. - `unreachable`: no connection, or a broken one.
 * - `overloaded`: 429 or 5xx. - `refused`: any other HTTP error (wrong key or address, to be corrected by the operator).
 * - `unusable_answer`: not JSON, not a vehicle, or another vehicle than the requested one.
 * - `not_configured`: there is no registry; nothing was sent.
 */
export type RegistryProblem =
  | 'timeout'
  | 'unreachable'
  | 'overloaded'
  | 'refused'
  | 'unusable_answer'
  | 'not_configured';

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
