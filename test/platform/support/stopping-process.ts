import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { createLogger } from '../../../platform/logger.ts';
import { onShutdown } from '../../../platform/shutdown.ts';

// A process that takes so long to stop (milliseconds; `again`: until a second signal comes or its parent goes away; `never`; `fails`),
// and may take so long.
const [, , stopMs = '0', withinMs = '30000'] = process.argv;

async function stop(): Promise<void> {
  if (stopMs === 'fails') throw new Error('it could not be stopped');
  if (stopMs === 'again') await Promise.race(['SIGTERM', 'SIGINT', 'disconnect'].map((event) => once(process, event)));
  else await pause(stopMs === 'never' ? 1_000_000 : Number(stopMs));
}

onShutdown(createLogger('test', 'info'), stop, { withinMs: Number(withinMs) });
setInterval(() => undefined, 1_000);
process.send?.('ready');
