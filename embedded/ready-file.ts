import { renameSync, rmSync, writeFileSync } from 'node:fs';
import type { DemoAccount } from './demo-accounts.ts';
import type { SimulatorAddresses } from './simulators-process.ts';

/** What scripts, tests and tools from outside need to use the running system (docs: embedded mode). */
export interface ReadyState {
  readonly apiUrl: string;
  readonly publicUrl: string;
  readonly temporalAddress: string;
  /** Absent when TEMPORAL_ADDRESS names a server of somebody else's. */
  readonly temporalUiUrl?: string;
  readonly mongodbUri: string;
  /** From the project's folder where it lies in it. */
  readonly caFile: string;
  readonly accounts: readonly DemoAccount[];
  readonly simulators: SimulatorAddresses;
  /** Where their numbers are read (docs/reference/monitoring.md). */
  readonly metricsUrls: Readonly<Record<'api' | 'worker', string>>;
  /** Process ids by name; a restarted child has a new one. */
  readonly processes: Readonly<Record<string, number>>;
}

/** Readable by its owner alone, because it holds keys; written in one step, so that nobody reads half of it. */
export function writeReadyFile(file: string, state: ReadyState): void {
  const staging = `${file}.new`;
  writeFileSync(staging, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
  renameSync(staging, file);
}

export function removeReadyFile(file: string): void {
  rmSync(file, { force: true });
}
