import { join } from 'node:path';
import { Router, type Request, type Response } from 'express';
import { locateFolder } from './locate-folder.ts';
import { readDashboard, type Compression, type DashboardFile, type DashboardFiles } from './read-dashboard.ts';

/**
 * Serves the dashboard: files under /dashboard/assets/, whose names change with their content, and one page for all other paths.
 * `imagesUrl` is the base of the item images, perhaps of another host.
 */
export function serveDashboard(imagesUrl: string): Router {
  const router = Router({ caseSensitive: true });
  const folder = join(locateFolder('web'), 'dashboard', 'dist');
  const policy = contentPolicy(new URL(imagesUrl).origin);
  let reading: Promise<DashboardFiles> | undefined;
  const files = async (): Promise<DashboardFiles> => {
    reading ??= readDashboard(folder);
    return reading.catch((error: unknown) => {
      reading = undefined;
      throw error;
    });
  };
  router.get('/dashboard/assets/{*path}', async (request, response, next) => {
    const file = (await files()).get(request.path.replace(/^\/dashboard\//, ''));
    if (file === undefined) {
      // A process of another build may have the file, so the 404 must not be cached.
      response.setHeader('Cache-Control', 'no-store');
      next();
    } else send(file, { request, response, cacheControl: 'public, max-age=31536000, immutable' });
  });
  router.get('/dashboard{/*path}', async (request, response, next) => {
    const page = (await files()).get('index.html');
    if (page === undefined || request.path.startsWith('/dashboard/assets/')) {
      next();
      return;
    }
    response.setHeader('Content-Security-Policy', policy);
    send(page, { request, response, cacheControl: 'no-cache' });
  });
  return router;
}

/** Allows only built files; forbids frames, and HTML written by scripts. */
const contentPolicy = (imageOrigin: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' data: ${imageOrigin}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');

interface Sending {
  readonly request: Request;
  readonly response: Response;
  readonly cacheControl: string;
}

function send({ type, etag, bytes, compressed }: DashboardFile, { request, response, cacheControl }: Sending): void {
  response.setHeader('Cache-Control', cacheControl);
  response.setHeader('Vary', 'Accept-Encoding');
  const encoding = encodingFor(request, compressed);
  // Each encoding has its own ETag, because its bytes differ.
  const tag = encoding === undefined ? etag : etag.replace(/"$/, `-${encoding}"`);
  response.setHeader('ETag', tag);
  response.setHeader('Content-Type', type);
  if (request.fresh) {
    response.status(304).end();
    return;
  }
  if (encoding !== undefined) response.setHeader('Content-Encoding', encoding);
  const body = (encoding && compressed[encoding]) ?? bytes;
  response.setHeader('Content-Length', body.length);
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** Returns the smallest encoding that the browser accepts; undefined: no encoding. */
function encodingFor(request: Request, compressed: DashboardFile['compressed']): Compression | undefined {
  const made = (['br', 'gzip'] as const).filter((encoding) => compressed[encoding] !== undefined);
  // Most browsers name gzip first, so their own order of preference would select it.
  return made.find((encoding) => request.acceptsEncodings(encoding) === encoding);
}
