import { CommanderError, InvalidArgumentError } from 'commander';
import { ItembridgeError, ItembridgeUnreachable } from '../client/itembridge-error.ts';
import { Refusal } from '../features/rules/errors.ts';

/** Exit codes for scripts (docs/reference/command-line.md "Exit codes"). */
export const exitCodes = { ok: 0, someFailed: 1, refused: 2, unfinished: 3, interrupted: 130 } as const;

/** The command can't run with these arguments or in this state. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Ctrl-C, or another signal to stop; `message` tells the state of the work. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** Returns the exit code and the text for an error of a command; text undefined when it was already printed. */
export function describeFailure(error: unknown): { readonly code: number; readonly text: string | undefined } {
  if (error instanceof Interrupted) return { code: exitCodes.interrupted, text: error.message };
  if (error instanceof UsageError) return { code: exitCodes.refused, text: error.message };
  if (error instanceof ItembridgeUnreachable) return { code: exitCodes.unfinished, text: error.message };
  if (error instanceof ItembridgeError) return describeAnswer(error);
  if (error instanceof Refusal) return { code: exitCodes.someFailed, text: withDetails(error, error.details ?? []) };
  if (error instanceof InvalidArgumentError) return { code: exitCodes.someFailed, text: error.message };
  // Commander has printed the message already. A request for help is no failure.
  if (error instanceof CommanderError)
    return { code: error.exitCode === 0 ? exitCodes.ok : exitCodes.refused, text: undefined };
  return { code: exitCodes.someFailed, text: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

function describeAnswer(error: ItembridgeError): { readonly code: number; readonly text: string } {
  const isTrouble = error.status === 408 || error.status === 429 || error.status >= 500;
  const option = error.details.some(({ field }) => field === 'confirm') ? '\n  Here that is the option --confirm.' : '';
  const request = error.requestId === undefined ? '' : `\n  request ${error.requestId}`;
  return {
    code: isTrouble ? exitCodes.unfinished : exitCodes.refused,
    text: withDetails({ message: error.reason, code: error.code }, error.details) + option + request,
  };
}

interface Coded {
  readonly message: string;
  readonly code?: string | undefined;
}

function withDetails(
  { message, code }: Coded,
  details: readonly { readonly field: string; readonly message: string }[],
): string {
  const lines = details.map((detail) => `\n  ${detail.field} ${detail.message}`);
  return `${message}${code === undefined ? '' : ` (${code})`}${lines.join('')}`;
}

/** Runs `work` with a signal that Ctrl-C (or SIGTERM) aborts. A second one ends the process at once. */
export async function untilInterrupted<Outcome>(work: (signal: AbortSignal) => Promise<Outcome>): Promise<Outcome> {
  const controller = new AbortController();
  const stop = (): void => {
    forget();
    controller.abort(new Interrupted('Stopped.'));
  };
  const forget = (): void => {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  try {
    return await work(controller.signal);
  } finally {
    forget();
  }
}
