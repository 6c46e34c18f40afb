import express from 'express';
import { startSimulator, type RunningSimulator } from '../kit/start-simulator.ts';
import { marketplaceAdminRoutes } from './admin-routes.ts';
import { defaultApplication } from './default-application.ts';
import { publicPages } from './public-pages.ts';
import { wireRoutes, type Application } from './wire-routes.ts';
import { openWorld } from './world.ts';

export interface MarketplaceSimulatorOptions {
  /** 0 or absent: any free port. */
  readonly port?: number | undefined;
  /** Absent: nothing survives the stop. */
  readonly dataDir?: string | undefined;
  /** The one application that may call; `defaultApplication` when absent. */
  readonly application?: Application | undefined;
  /** Simulated time from a commit or an update to its result. */
  readonly processingDelayMs?: number | undefined;
}

/**
 * The auction marketplace: its REST v4, public pages, and admin routes. With a data folder, answered calls survive a
 * kill.
 */
export async function startMarketplaceSimulator(options: MarketplaceSimulatorOptions = {}): Promise<RunningSimulator> {
  const world = openWorld({ dataDir: options.dataDir, processingDelayMs: options.processingDelayMs ?? 300 });
  const application = options.application ?? defaultApplication;
  let url = '';
  const siteUrl = (): string => url;
  const routes = express.Router();
  routes.use(wireRoutes({ world, application, siteUrl }), publicPages(world, application));
  const running = await startSimulator({
    name: 'marketplace',
    port: options.port,
    clock: world.clock,
    routes,
    admin: marketplaceAdminRoutes(world, siteUrl),
    onClose: () => world.close(),
  });
  url = running.url;
  return running;
}
