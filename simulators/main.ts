import { parseArgs } from 'node:util';
import { parseSimulatorsConfig } from './parse-simulators-config.ts';
import { startSimulators } from './start-simulators.ts';

/** All simulators in one process. Says `{"ready": {…}}` in one line of stdout when all listen; SIGTERM and SIGINT stop it. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { config: { type: 'string', default: '{}' } } });
  const running = await startSimulators(parseSimulatorsConfig(values.config));
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
