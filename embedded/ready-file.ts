import { renameSync, rmSync, writeFileSync } from 'node:fs';
import type { DemoAccount } from './demo-accounts.ts';
import type { UsedSimulators } from './vehicle-registry.ts';

/** What scripts, tests and other tools need in order to use the running system. */
export interface ReadyState {
  readonly apiUrl: string;
  readonly publicUrl: string;
  readonly temporalAddress: string;
  readonly temporalNamespace: string;
  /** Absent when TEMPORAL_ADDRESS names an external server. */
  readonly temporalUiUrl?: string;
  readonly mongodbUri: string;
  /** Relative to the project's folder where it is inside. */
  readonly caFile: string;
  readonly accounts: readonly DemoAccount[];
  readonly simulators: UsedSimulators;
  /** Where the metrics of each process are read (docs/monitoring.md). */
  readonly metricsUrls: Readonly<Record<'api' | 'worker', string>>;
  /** Process ids by name; a restarted child has a new one. */
  readonly processes: Readonly<Record<string, number>>;
}

/** Readable by its owner alone, because it holds keys. Written in one step, so that no reader sees half of it. */
export function writeReadyFile(file: string, state: ReadyState): void {
  const staging = `${file}.new`;
  writeFileSync(staging, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
  renameSync(staging, file);
}

/** Removes the file; a missing one is no error. */
export function removeReadyFile(file: string): void {
  rmSync(file, { force: true });
}
