import { join } from 'node:path';
import { Router, type Request, type Response } from 'express';
import { locateFolder } from './locate-folder.ts';
import { readDashboard, type Compression, type DashboardFile, type DashboardFiles } from './read-dashboard.ts';

/**
 * The dashboard: its files under /dashboard/assets/, whose names change with their content, and one page for every other path,
 * which draws what the path names. `publicUrl` is where the images of items are.
 */
export function serveDashboard(publicUrl: string): Router {
  const router = Router({ caseSensitive: true });
  const folder = join(locateFolder('web'), 'dashboard', 'dist');
  const policy = contentPolicy(new URL(publicUrl).origin);
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
      // Another process of a newer or older build may have it: nobody is to remember that this one has not.
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

/** Nothing runs or is loaded but what was built; no page may frame it, and no script write HTML. */
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
  // Different bytes are a different entity; the browser names the one that it keeps.
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

/** The smallest that the browser takes; undefined: as it is. */
function encodingFor(request: Request, compressed: DashboardFile['compressed']): Compression | undefined {
  const made = (['br', 'gzip'] as const).filter((encoding) => compressed[encoding] !== undefined);
  // By its own order of preference a browser that takes both would get gzip, which it names first.
  return made.find((encoding) => request.acceptsEncodings(encoding) === encoding);
}
