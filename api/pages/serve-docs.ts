import { join } from 'node:path';
import { Router, type RequestHandler } from 'express';
import { locateFolder } from './locate-folder.ts';
import { readPages, type Pages } from './read-pages.ts';
import { sendFile } from './send-file.ts';

/** Serves the first page, the reference, the interactive page and the guides below /docs/, from web/docs/dist. All files are local. */
export function serveDocs(): Router {
  const router = Router({ caseSensitive: true, strict: true });
  let reading: Promise<Pages> | undefined;
  const files = async (): Promise<Pages> => {
    reading ??= readPages(join(locateFolder('web'), 'docs', 'dist'));
    return reading.catch((error: unknown) => {
      reading = undefined;
      throw error;
    });
  };
  router.get('/docs', (_request, response) => response.redirect('/docs/'));
  for (const part of ['guides', 'reference'])
    router.get(`/docs/${part}`, (_request, response) => response.redirect(`/docs/${part}/`));
  router.get('/docs/assets/:name', async (request, response, next) => {
    const file = (await files()).get(`assets/${request.params.name}`);
    if (file === undefined) {
      // A process of another build may have the file, so the 404 must not be cached.
      response.setHeader('Cache-Control', 'no-store');
      next();
    } else sendFile(file, { request, response, cacheControl: 'public, max-age=31536000, immutable' });
  });
  const sendPage: RequestHandler = async (request, response, next) => {
    const page = (await files()).get(pageOf(request.path));
    if (page === undefined) {
      next();
      return;
    }
    response.setHeader('Content-Security-Policy', request.path === tryPath ? tryPolicy : pagePolicy);
    sendFile(page, { request, response, cacheControl: 'no-cache' });
  };
  const paths = ['/docs/', tryPath, '/docs/reference/', '/docs/reference/:name', '/docs/guides/', '/docs/guides/:name'];
  for (const path of paths) router.get(path, sendPage);
  return router;
}

const tryPath = '/docs/try';

/** `guides/webhooks.html` of `/docs/guides/webhooks`. */
const pageOf = (path: string): string => {
  const name = path.slice('/docs/'.length);
  return name === '' || name.endsWith('/') ? `${name}index.html` : `${name}.html`;
};

const common = [
  "default-src 'none'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];
const pagePolicy = [...common, "style-src 'self'"].join('; ');
// The interactive page writes style elements of its own, and calls the service when a request is tried.
const tryPolicy = [
  ...common,
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self'",
  "connect-src 'self'",
].join('; ');
