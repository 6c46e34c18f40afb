import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { parseSimulatorsConfig } from '../simulators/parse-simulators-config.ts';
import { startSimulators } from '../simulators/start-simulators.ts';

/**
 * Runs all simulators in one process. `--config -` reads the settings from stdin, for settings with secrets. Prints `{"ready":
 * {…}}` in one line of stdout when all listen. SIGTERM and SIGINT stop it.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { config: { type: 'string', default: '{}' } } });
  const config = values.config === '-' ? await text(process.stdin) : values.config;
  const running = await startSimulators(parseSimulatorsConfig(config));
  console.log(JSON.stringify({ ready: running.addresses }));
  const stop = (): void => {
    running.close().catch((error: unknown) => {
      console.error('stopping the simulators failed:', error);
      process.exitCode = 1;
    });
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
