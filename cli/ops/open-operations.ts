import { Option, type Command } from 'commander';
import type { Operations } from '../../compose/operations.ts';
import { addSystemOptions, findDatabase, readReadyFile, type SystemOptions } from '../running-system.ts';

export interface OperationsOptions extends SystemOptions {
  readonly temporalAddress?: string;
  readonly temporalNamespace?: string;
  readonly temporalTaskQueue: string;
  readonly json: boolean;
}

export interface AccountOptions {
  readonly account?: string;
  readonly member?: string;
}

/** Database and engine of a command: from options, the environment of the worker, or the ready file of `npm start`. */
export const addOperationsOptions = (command: Command): Command =>
  addSystemOptions(command)
    .addOption(new Option('--temporal-address <host:port>', 'workflow engine of the system').env('TEMPORAL_ADDRESS'))
    .addOption(new Option('--temporal-namespace <name>').env('TEMPORAL_NAMESPACE'))
    .addOption(new Option('--temporal-task-queue <name>').env('TEMPORAL_TASK_QUEUE').default('itembridge'))
    .option('--json', 'output for programs: JSON', false);

/** Adds the options that limit a command to one account or one member. */
export const addAccountOptions = (command: Command): Command =>
  command
    .option('--account <id or email>', 'only of this account')
    .option('--member <reference>', 'only of the member that a reseller calls so');

/**
 * Runs `work` with database and engine, and closes both. Their modules are loaded only here, so other commands start in half the
 * time.
 */
export async function withOperations<Result>(
  options: OperationsOptions,
  work: (operations: Operations) => Promise<Result>,
): Promise<Result> {
  const { openOperations } = await import('../../compose/operations.ts');
  const { loadTemporalConfig } = await import('../../compose/config.ts');
  const ready = readReadyFile(options.home);
  const temporal = loadTemporalConfig({
    TEMPORAL_ADDRESS: options.temporalAddress ?? ready?.temporalAddress,
    TEMPORAL_NAMESPACE: options.temporalNamespace ?? ready?.temporalNamespace,
    TEMPORAL_TASK_QUEUE: options.temporalTaskQueue,
  });
  const operations = await openOperations({ mongo: findDatabase(options), temporal });
  try {
    return await work(operations);
  } finally {
    await operations.close();
  }
}

/** Rows under headings; each column is as wide as its widest cell. '' without rows. The last column may be long. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const lines = [headings, ...rows];
  const widths = headings.map((_heading, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) => line.map((cell, column) => (column === line.length - 1 ? cell : cell.padEnd(widths[column] ?? 0))))
    .map((line) => `  ${line.join('  ')}`.trimEnd())
    .join('\n');
}
