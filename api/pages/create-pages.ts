import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Router, type RequestHandler } from 'express';
import type { Context } from '../../features/context.ts';
import { buildDocument } from '../openapi/build-document.ts';
import { routes } from '../routes.ts';
import { locateFolder, pageFile, readPages, sendFile, type PageFile, type Pages } from './page-files.ts';

/** Serves the pages for browsers: the interface document, its reference, the guides and the dashboard. All files are local. */
export function createPages({ imagesUrl }: Pick<Context, 'imagesUrl'>): Router {
  const pages = Router({ strict: true });
  for (const [path, document] of documents)
    pages.get(path, (request, response) => {
      response.setHeader('Access-Control-Allow-Origin', '*');
      sendFile(document(), { request, response, cacheControl: 'no-cache' });
    });
  pages.get('/', (_request, response) => response.redirect('/dashboard'));
  pages.use(serveDocs());
  pages.use(serveDashboard(imagesUrl));
  return pages;
}

/**
 * The interface document, complete and in the form for some generators. Built at the first request, because most
 * processes never get one.
 */
const documents: ReadonlyMap<string, () => PageFile> = new Map([
  ['/openapi.json', once(() => documentFile({ hasWebhooks: true }))],
  ['/openapi-without-webhooks.json', once(() => documentFile({ hasWebhooks: false }))],
]);

function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => (made ??= make());
}

function documentFile(options: { readonly hasWebhooks: boolean }): PageFile {
  const bytes = Buffer.from(JSON.stringify(buildDocument(routes, options)));
  return pageFile({ type: 'application/json; charset=utf-8', bytes, compressed: { gzip: gzipSync(bytes) } });
}

/**
 * Serves the dashboard: files under /dashboard/assets/, whose names change with their content, and one page for all other paths.
 * `imagesUrl` is the base of the item images, perhaps of another host.
 */
function serveDashboard(imagesUrl: string): Router {
  const router = Router({ caseSensitive: true });
  const files = builtFiles('dashboard');
  const policy = contentPolicy(new URL(imagesUrl).origin);
  router.get('/dashboard/assets/{*path}', sendAsset(files, '/dashboard/'));
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

/** Reads what was built of a part of web/ once; a failed reading is repeated. */
function builtFiles(part: string): () => Promise<Pages> {
  let reading: Promise<Pages> | undefined;
  return async () => {
    reading ??= readPages(join(locateFolder('web'), part, 'dist'));
    return reading.catch((error: unknown) => {
      reading = undefined;
      throw error;
    });
  };
}

/** Sends a file whose name changes with its content. */
const sendAsset =
  (files: () => Promise<Pages>, under: string): RequestHandler =>
  async (request, response, next) => {
    const file = (await files()).get(request.path.slice(under.length));
    if (file === undefined) {
      // A process of another build may have the file, so the 404 must not be cached.
      response.setHeader('Cache-Control', 'no-store');
      next();
    } else sendFile(file, { request, response, cacheControl: 'public, max-age=31536000, immutable' });
  };

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

/** Serves the first page, the reference, the interactive page and the guides below /docs/, from web/docs/dist. All files are local. */
function serveDocs(): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const files = builtFiles('docs');
  router.get('/docs', (_request, response) => response.redirect('/docs/'));
  for (const part of ['guides', 'reference'])
    router.get(`/docs/${part}`, (_request, response) => response.redirect(`/docs/${part}/`));
  router.get('/docs/assets/:name', sendAsset(files, '/docs/'));
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

/** `/docs/guides/webhooks` → `guides/webhooks.html`. */
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
// The interactive page adds style elements of its own, and calls the service when a request is tried.
const tryPolicy = [
  ...common,
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self'",
  "connect-src 'self'",
].join('; ');
