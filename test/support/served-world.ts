import { listen, type RunningApi } from '../../api/http/listen.ts';
import { composeApi } from '../../compose/api.ts';
import { startWorld, type World } from './world.ts';

export interface ServedWorld extends World {
  readonly api: RunningApi;
}

/** A world whose API listens, too. */
export async function startServedWorld(options: Parameters<typeof startWorld>[0] = {}): Promise<ServedWorld> {
  const world = await startWorld(options);
  const { config, logger } = world.foundation;
  const composed = await composeApi(config, logger);
  const api = await listen(composed, { host: '127.0.0.1', port: 0 });
  return {
    ...world,
    api,
    stop: async () => {
      await api.close();
      await composed.close();
      await world.stop();
    },
  };
}
