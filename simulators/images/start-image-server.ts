import express, { type Router } from 'express';
import { Refusal } from '../kit/fields.ts';
import { startSimulator, type RunningSimulator, type TlsFiles } from '../kit/start-simulator.ts';

export interface ImageServerOptions {
  readonly port?: number | undefined;
  /** Image addresses are HTTPS; absent: plain HTTP, for callers that allow it. */
  readonly tls?: TlsFiles | undefined;
  /** `examples/catalogue/images` of the working directory when absent. */
  readonly folder?: string | undefined;
}

/** A partner's image server: the files of one folder, and 404 for everything else. */
export async function startImageServer(options: ImageServerOptions = {}): Promise<RunningSimulator> {
  const routes = fileRoutes(options.folder ?? 'examples/catalogue/images');
  return startSimulator({ name: 'image', port: options.port, tls: options.tls, routes });
}

function fileRoutes(folder: string): Router {
  const router = express.Router();
  // Hidden files and paths out of the folder are answered as if they did not exist.
  const files = express.static(folder, {
    acceptRanges: false,
    dotfiles: 'ignore',
    index: false,
    redirect: false,
    fallthrough: true,
  });
  router.use(files, (request) => {
    throw new Refusal(404, 'NotFound', `there is no image ${request.path}`);
  });
  return router;
}
