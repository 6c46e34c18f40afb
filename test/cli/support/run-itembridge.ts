import { spawn, type ChildProcess } from 'node:child_process';
import { programArguments } from '../../../embedded/program-arguments.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

export interface ToolRun {
  readonly child: ChildProcess;
  readonly done: Promise<ToolOutcome>;
  /** What it has said so far. */
  readonly said: () => { readonly stdout: string; readonly stderr: string };
}

export interface ToolOutcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ToolOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** The command line tool as a process of its own, that knows nothing of the settings of whoever runs the tests. */
export function startItembridge(args: readonly string[], { env = {}, input }: ToolOptions = {}): ToolRun {
  const own = Object.entries(process.env).filter(([name]) => !/^(ITEMBRIDGE_|MONGODB_|XDG_)/.test(name));
  const child = spawn(process.execPath, [...programArguments('bin/itembridge.ts'), ...args], {
    env: {
      ...Object.fromEntries(own),
      ITEMBRIDGE_HOME: '/nonexistent',
      XDG_STATE_HOME: temporaryFolder('state'),
      ...env,
    },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  child.stdin?.end(input);
  let [stdout, stderr] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const done = new Promise<ToolOutcome>((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })));
  return { child, done, said: () => ({ stdout, stderr }) };
}

export const runItembridge = (args: readonly string[], options?: ToolOptions): Promise<ToolOutcome> =>
  startItembridge(args, options).done;
