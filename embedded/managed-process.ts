import { fork, spawn, type ChildProcess } from 'node:child_process';
import { closeSync, createWriteStream, existsSync, mkdirSync, openSync, readFileSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/**
 * How a child reports that it is ready: by an IPC message, by a JSON line on its output, or not at all (then it is
 * probed).
 */
export type ReadySource = 'ipc' | 'stdout' | 'none';

export interface ProcessPlan {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly logFile: string;
  /** The input for its stdin. Unlike arguments, it is not visible in a list of processes. */
  readonly input?: string;
  readonly readySource: ReadySource;
  /**
   * Resolves when the child can be used. `announced` is the child's own message with `ready`; `signal` is aborted when the
   * child ends or takes too long.
   */
  readonly waitReady: (announced: Promise<unknown>, signal: AbortSignal) => Promise<void>;
  readonly startTimeoutMs: number;
  readonly stopTimeoutMs: number;
}

export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The child ended, or was not ready in time; `log` is the end of its output. */
export class ProcessStartError extends Error {
  override readonly name = 'ProcessStartError';
}

/** The child ended by itself, for example because another program took its port. */
export class ProcessEndedAtStart extends ProcessStartError {}

/** One child process that can be started, stopped, killed and started again with the same plan. */
export class ManagedProcess {
  readonly plan: ProcessPlan;
  /** Called when a ready child ends without having been asked to. */
  onUnexpectedExit: (exit: ProcessExit) => void = () => undefined;
  #child: ChildProcess | undefined;
  #exit: Promise<ProcessExit> | undefined;
  #isStopping = false;

  constructor(plan: ProcessPlan) {
    this.plan = plan;
  }

  get name(): string {
    return this.plan.name;
  }

  /** undefined while no child runs. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Resolves when the child is ready. Throws {@link ProcessStartError}; then no child is left. */
  async start(): Promise<void> {
    this.#isStopping = false;
    const { child, announced } = spawnChild(this.plan);
    this.#child = child;
    const exit = exitOf(child);
    this.#exit = exit;
    let isReady = false;
    child.once('exit', (code, signal) => {
      if (child.pid !== undefined) unguardProcess(child.pid);
      if (this.#child === child) this.#child = undefined;
      if (isReady && !this.#isStopping) this.onUnexpectedExit({ code, signal });
    });
    try {
      await raceReady(this.plan, { announced, exit });
      isReady = true;
    } catch (cause) {
      await this.kill9();
      throw cause;
    }
  }

  /** SIGTERM, then SIGKILL when it takes longer than the plan allows. Does nothing when no child runs. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const [child, exit] = [this.#child, this.#exit];
    if (child === undefined || exit === undefined) return;
    child.kill('SIGTERM');
    const timer = setTimeout(() => {
      killGroup(child);
    }, this.plan.stopTimeoutMs);
    await exit;
    clearTimeout(timer);
  }

  /** Ends the child as a power cut would. */
  async kill9(): Promise<void> {
    this.#isStopping = true;
    if (this.#child !== undefined) killGroup(this.#child);
    await this.#exit;
  }

  /** Stops the child cleanly (if it runs), then starts it on the same port and data. */
  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }
}

/** The last lines that a child wrote, for a message to a person. */
export function tailOf(logFile: string, lines: number): string {
  if (!existsSync(logFile)) return '';
  return readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
}

/** Renames the log of the previous start to `NAME.1.log`. A restart within one run appends. */
export function rotateLog(logFile: string): void {
  mkdirSync(dirname(logFile), { recursive: true });
  if (existsSync(logFile)) renameSync(logFile, logFile.replace(/\.log$/, '.1.log'));
}

function spawnChild(plan: ProcessPlan): { child: ChildProcess; announced: Promise<unknown> } {
  mkdirSync(dirname(plan.logFile), { recursive: true });
  const log = openSync(plan.logFile, 'a');
  const output = plan.readySource === 'stdout' ? 'pipe' : log;
  const input = plan.input === undefined ? 'ignore' : 'pipe';
  const stdio = [input, output, log, ...(plan.readySource === 'none' ? [] : ['ipc' as const])] as const;
  // A process group of its own: Ctrl-C in the terminal must reach the supervisor alone, which stops the children in
  // order.
  const child = spawn(plan.command, plan.args, { env: plan.environment, detached: true, stdio: [...stdio] });
  closeSync(log);
  // A child may end before it has read its input; its exit is reported elsewhere.
  child.stdin?.on('error', () => undefined).end(plan.input);
  if (child.pid !== undefined) guardProcess(child.pid);
  return { child, announced: announcementOf(child, plan) };
}

function announcementOf(child: ChildProcess, plan: ProcessPlan): Promise<unknown> {
  return new Promise((resolve) => {
    child.on('message', (message) => {
      if (typeof message === 'object' && 'ready' in message) resolve(message);
    });
    if (child.stdout === null) return;
    const log = createWriteStream(plan.logFile, { flags: 'a' });
    child.stdout.pipe(log);
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.startsWith('{"ready"')) resolve(JSON.parse(line));
    });
  });
}

function exitOf(child: ChildProcess): Promise<ProcessExit> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      resolve({ code, signal });
    });
    child.once('error', () => {
      resolve({ code: 127, signal: null });
    });
  });
}

async function raceReady(
  plan: ProcessPlan,
  { announced, exit }: { announced: Promise<unknown>; exit: Promise<ProcessExit> },
): Promise<void> {
  const abort = new AbortController();
  const tooSlow = delay(plan.startTimeoutMs, undefined, { signal: abort.signal }).then(() => {
    throw new ProcessStartError(`${plan.name} was not ready within ${String(plan.startTimeoutMs / 1000)} s`);
  });
  const ended = exit.then(({ code, signal }) => {
    throw new ProcessEndedAtStart(`${plan.name} ended while starting (${signal ?? `code ${String(code)}`})`);
  });
  const ready = plan.waitReady(announced, abort.signal);
  try {
    await Promise.race([ready, tooSlow, ended]);
  } finally {
    abort.abort();
    // The two that lost the race reject later, when no code waits for them any more.
    for (const lost of [ready, tooSlow, ended]) lost.catch(() => undefined);
  }
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL');
  }
}

let guard: ChildProcess | undefined;

/** Has a detached child stopped however this process ends, even by kill -9. */
function guardProcess(pid: number): void {
  startGuard().send({ add: pid });
}

function unguardProcess(pid: number): void {
  guard?.send({ remove: pid });
}

function startGuard(): ChildProcess {
  if (guard !== undefined) return guard;
  guard = fork(fileURLToPath(new URL('guard.mjs', import.meta.url)), {
    detached: true,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  guard.on('error', () => undefined);
  guard.unref();
  guard.channel?.unref();
  return guard;
}
