import { spawn, spawnSync } from 'node:child_process';

export interface ProgramResult {
  readonly code: number | null;
  /** What it printed, both ways. */
  readonly output: string;
}

export interface ProgramOptions {
  readonly stdin: Buffer;
  readonly environment?: Readonly<Record<string, string>>;
  /** By default that of the tests, the project's. */
  readonly cwd?: string;
  /** Milliseconds after which it is ended, with the code null. */
  readonly timeout?: number;
}

/** Runs a program to its end, with `stdin` as its input. Rejects when it can't be started. */
export function runProgram(
  [command, ...args]: readonly [string, ...string[]],
  { stdin, environment = {}, ...rest }: ProgramOptions,
): Promise<ProgramResult> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, ...environment };
    const child = spawn(command, args, { ...rest, env, stdio: ['pipe', 'pipe', 'pipe'] });
    let output = '';
    const keep = (chunk: Buffer): void => {
      output += chunk.toString('utf8');
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', reject);
    child.on('close', (code) => {
      resolve({ code, output: output.trim() });
    });
    // One that refuses before it has read everything closes the pipe; its exit code tells.
    child.stdin.on('error', () => undefined);
    child.stdin.end(stdin);
  });
}

/** The first of the commands that this machine can run; each is asked with the arguments that come with it. */
export const firstThatRuns = (
  candidates: readonly (readonly [command: string, ...probe: string[]])[],
): string | undefined =>
  candidates.find(([command, ...probe]) => spawnSync(command, probe, { stdio: 'ignore' }).status === 0)?.[0];
