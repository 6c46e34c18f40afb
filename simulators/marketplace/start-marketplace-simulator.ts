import express from 'express';
import { startSimulator, type RunningSimulator } from '../kit/start-simulator.ts';
import { marketplaceAdminRoutes } from './admin-routes.ts';
import { defaultApplication } from './default-application.ts';
import { openWorld } from './open-world.ts';
import { loginPage, type ConsentSettings } from './pages/login-page.ts';
import { publicPages } from './pages/public-pages.ts';
import type { CallLimit } from './records/call-budget.ts';
import type { SwitchChanges } from './switches.ts';
import { errorBody } from './wire/refusals.ts';
import { sandboxRoutes } from './wire/sandbox-routes.ts';
import { wireRoutes, type Application } from './wire/wire-routes.ts';

export interface MarketplaceSimulatorOptions {
  /** 0 or absent: any free port. */
  readonly port?: number | undefined;
  /** Absent: nothing survives the stop. */
  readonly dataDir?: string | undefined;
  /** The one application that may call; `defaultApplication` where a part is absent. */
  readonly application?: Partial<Application> | undefined;
  readonly consent?: ConsentSettings | undefined;
  /** Simulated time from a commit or a restart to its result. */
  readonly processingDelayMs?: number | undefined;
  /** Where browsers find the public pages, such as a proxy's address; where it listens by default. */
  readonly siteUrl?: string | undefined;
  /** About 18 months by default. */
  readonly tokenLifeDays?: number | undefined;
  /** No limit by default. */
  readonly callLimit?: CallLimit | undefined;
  /** What is not known of the real one, see switches.ts. */
  readonly switches?: SwitchChanges | undefined;
}

/**
 * The auction marketplace: its REST v4, login page, public pages, and admin routes. With a data folder, answered calls
 * survive a kill.
 */
export async function startMarketplaceSimulator(options: MarketplaceSimulatorOptions = {}): Promise<RunningSimulator> {
  const { processingDelayMs = 300, tokenLifeDays = 540, switches = {}, dataDir, callLimit } = options;
  const world = openWorld({ dataDir, processingDelayMs, tokenLifeDays, callLimit, switches });
  const application = { ...defaultApplication, ...options.application };
  const gate = { world, application };
  const routes = express.Router();
  routes.use(wireRoutes(gate), sandboxRoutes(gate), loginPage(world, application, options.consent ?? {}));
  routes.use(publicPages(world));
  const running = await startSimulator({
    name: 'marketplace',
    port: options.port,
    clock: world.clock,
    routes,
    errorBody,
    admin: marketplaceAdminRoutes(world),
    onClose: () => world.close(),
  });
  world.siteUrl = options.siteUrl ?? running.url;
  return running;
}
