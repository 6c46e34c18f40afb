import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../../embedded/choose-port.ts';
import type { ReadyState } from '../../../embedded/ready-file.ts';

interface LaunchOptions {
  readonly home?: string;
  readonly args?: readonly string[];
  /** npm is the process that is started, and gets the signals. */
  readonly throughNpm?: boolean;
  /** Beside the variables of the test's own process. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** The simulated marketplace. Throws where the environment named another one. */
export function marketplaceIn({ simulators }: Pick<ReadyState, 'simulators'>) {
  if (simulators.marketplace === undefined) throw new Error('the marketplace of this system is no simulator');
  return simulators.marketplace;
}

type Command = readonly [string, ...string[]];

/** `npm start` in a folder of its own, as a person or a script has it. */
export class StartedSystem {
  readonly home: string;
  readonly child: ChildProcess;
  /** Everything it printed so far. */
  output = '';
  readonly exited: Promise<number | null>;

  private constructor(
    home: string,
    { command: [command, ...args], environment = {} }: Pick<LaunchOptions, 'environment'> & { command: Command },
  ) {
    this.home = home;
    this.child = spawn(command, args, {
      env: { ...process.env, ...environment, ITEMBRIDGE_HOME: home },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child.stdout?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    this.child.stderr?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    this.exited = new Promise((resolve) => {
      this.child.once('close', resolve);
    });
  }

  static async launch(options: LaunchOptions = {}): Promise<StartedSystem> {
    const home = options.home ?? newHome();
    const args = options.args ?? ['--no-examples', '--port', String(await freePort())];
    const command = options.throughNpm
      ? (['npm', 'start', '--'] as const)
      : ([process.execPath, 'bin/start.mjs'] as const);
    return new StartedSystem(home, { ...options, command: [...command, ...args] });
  }

  get readyFile(): string {
    return join(this.home, 'ready.json');
  }

  /** Resolves when the ready file holds what is asked for. Throws with the output when the start ends or takes too long. */
  async ready(isWanted: (state: ReadyState) => boolean = () => true, timeoutMs = 240_000): Promise<ReadyState> {
    return until(
      () => {
        if (this.child.exitCode !== null)
          throw new Error(`npm start ended with ${String(this.child.exitCode)}:\n${this.output}`);
        if (!existsSync(this.readyFile)) return undefined;
        const state = JSON.parse(readFileSync(this.readyFile, 'utf8')) as ReadyState;
        return isWanted(state) ? state : undefined;
      },
      { what: () => `the ready file\n${this.output}`, timeoutMs },
    );
  }

  /** As Ctrl-C does; resolves with the exit code. */
  async stop(): Promise<number | null> {
    this.child.kill('SIGINT');
    return this.exited;
  }

  /** For a teardown: whatever state it is in. */
  async discard(): Promise<void> {
    if (this.child.exitCode === null) this.child.kill('SIGTERM');
    await this.exited;
    rmSync(this.home, { recursive: true, force: true });
  }
}

export const newHome = (): string => mkdtempSync(join(process.env['TEST_DIRECTORY'] ?? tmpdir(), 'itembridge-home-'));

/** Asks until there is an answer; an error of the question is passed on at once. */
export async function until<T>(
  ask: () => T | undefined | Promise<T | undefined>,
  { what, timeoutMs = 120_000 }: { what: string | (() => string); timeoutMs?: number },
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (performance.now() > deadline) throw new Error(`waited in vain for ${typeof what === 'string' ? what : what()}`);
    await delay(100);
  }
}
