import { setTimeout as delay } from 'node:timers/promises';
import { ProcessStartError, tailOf, type ManagedProcess, type ProcessExit } from './managed-process.ts';

const firstWaitMs = 500;
const longestWaitMs = 10_000;
/** A child that ran this long has recovered: its next crash counts as the first. */
const calmMs = 60_000;

export interface SupervisionReport {
  readonly say: (line: string) => void;
  /** Called with every new process id. */
  readonly onRestarted: () => void;
  /** After this many crashes in a row the whole system is stopped; undefined: never. */
  readonly crashesMax?: number;
  readonly onGivenUp: (message: string) => void;
}

/** Reports each crash of a child and restarts it, after a pause that doubles from 0.5 s to 10 s. */
export function supervise(child: ManagedProcess, report: SupervisionReport): { end(): void } {
  const ended = new AbortController();
  const state = { crashes: 0, startedAt: Date.now() };
  child.onUnexpectedExit = (exit) => {
    if (ended.signal.aborted) return;
    if (Date.now() - state.startedAt > calmMs) state.crashes = 0;
    recover({ child, report, state, signal: ended.signal, cause: describeCrash(child, exit) }).catch(
      (error: unknown) => {
        report.onGivenUp(String(error));
      },
    );
  };
  return {
    end: () => {
      ended.abort();
    },
  };
}

interface Recovery {
  readonly child: ManagedProcess;
  readonly report: SupervisionReport;
  readonly state: { crashes: number; startedAt: number };
  readonly signal: AbortSignal;
  readonly cause: string;
}

/** Retries until the child runs, the supervision ends, or it has crashed too often. */
async function recover({ child, report, state, signal, cause: firstCause }: Recovery): Promise<void> {
  let cause = firstCause;
  for (;;) {
    state.crashes += 1;
    if (report.crashesMax !== undefined && state.crashes > report.crashesMax) {
      report.onGivenUp(`${cause}; it crashed ${String(state.crashes)} times in a row`);
      return;
    }
    const waitMs = Math.min(firstWaitMs * 2 ** (state.crashes - 1), longestWaitMs);
    report.say(`${cause}; starting it again in ${String(waitMs / 1000)} s`);
    const isOver = await delay(waitMs, false, { signal }).catch(() => true);
    if (isOver) return;
    state.startedAt = Date.now();
    const failure = await startOf(child);
    // It was stopped while it was starting: there is nothing to report.
    if (signal.aborted) return;
    if (failure === undefined) {
      report.say(`${child.name} runs again (process ${String(child.pid)})`);
      report.onRestarted();
      return;
    }
    cause = describeStartFailure(child, failure);
  }
}

const startOf = (child: ManagedProcess): Promise<Error | undefined> =>
  child.start().then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
  );

function describeCrash(child: ManagedProcess, { code, signal }: ProcessExit): string {
  return `${child.name} ended unexpectedly (${signal ?? `code ${String(code)}`})${lastWords(child)}`;
}

/** What a person needs when a child did not start: the cause, its last lines, and what to do where that is known. */
export function describeStartFailure(child: ManagedProcess, failure: Error): string {
  if (!(failure instanceof ProcessStartError)) return `${child.name}: ${failure.message}`;
  return `${failure.message}${lastWords(child)}`;
}

/** The last error in its log, as the end of a sentence; '' without one. */
function lastWords(child: ManagedProcess): string {
  const lines = tailOf(child.plan.logFile, 80).split('\n');
  const line = lines.findLast((candidate) => saysError.test(candidate));
  return line === undefined ? '' : `; its log says: ${line.trim().slice(0, 300)}`;
}

/** Forms of errors in Node's stack traces and in the logs of our service, MongoDB and Temporal. */
const saysError = /^\w*Error\b|"level":"(error|fatal)"|"s":"[EF]"|level=(ERROR|FATAL)/i;
