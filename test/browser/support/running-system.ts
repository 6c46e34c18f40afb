import { readFileSync } from 'node:fs';
import { freePort } from '../../../embedded/choose-port.ts';
import type { ReadyState } from '../../../embedded/ready-file.ts';
import { StartedSystem } from '../../embedded/support/started-system.ts';

export interface RunningSystem {
  readonly ready: ReadyState;
  stop(): Promise<void>;
}

/** `npm start` in a folder of its own; or the one whose ready file BROWSER_TEST_READY_FILE names, which is left running. */
export async function startRunningSystem(args: readonly string[] = ['--no-examples']): Promise<RunningSystem> {
  const given = process.env['BROWSER_TEST_READY_FILE'];
  if (given !== undefined)
    return { ready: JSON.parse(readFileSync(given, 'utf8')) as ReadyState, stop: () => Promise.resolve() };
  const system = await StartedSystem.launch({ args: [...args, '--port', String(await freePort())] });
  try {
    return { ready: await system.ready(undefined, 300_000), stop: () => system.discard() };
  } catch (error) {
    await system.discard();
    throw error;
  }
}
