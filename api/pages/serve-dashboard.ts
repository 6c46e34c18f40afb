import { join } from 'node:path';
import { Router } from 'express';
import { locateFolder } from './locate-folder.ts';
import { readPages, type Pages } from './read-pages.ts';
import { sendFile } from './send-file.ts';

/**
 * Serves the dashboard: files under /dashboard/assets/, whose names change with their content, and one page for all other paths.
 * `imagesUrl` is the base of the item images, perhaps of another host.
 */
export function serveDashboard(imagesUrl: string): Router {
  const router = Router({ caseSensitive: true });
  const folder = join(locateFolder('web'), 'dashboard', 'dist');
  const policy = contentPolicy(new URL(imagesUrl).origin);
  let reading: Promise<Pages> | undefined;
  const files = async (): Promise<Pages> => {
    reading ??= readPages(folder);
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
    } else sendFile(file, { request, response, cacheControl: 'public, max-age=31536000, immutable' });
  });
  router.get('/dashboard{/*path}', async (request, response, next) => {
    const page = (await files()).get('index.html');
    if (page === undefined || request.path.startsWith('/dashboard/assets/')) {
      next();
      return;
    }
    response.setHeader('Content-Security-Policy', policy);
    sendFile(page, { request, response, cacheControl: 'no-cache' });
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
