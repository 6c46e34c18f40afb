import { dirname, join } from 'node:path';
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import express, { Router } from 'express';
import type { Context } from '../../usecases/context.ts';
import { buildDocument } from '../openapi/build-document.ts';
import { routes } from '../routes.ts';
import { locateFolder } from './locate-folder.ts';
import { pageFile, sendFile, type PageFile } from './send-file.ts';
import { serveDashboard } from './serve-dashboard.ts';

const webFolder = locateFolder('web');
const swaggerFolder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** Serves the pages for browsers: the reference of the interface and the dashboard. All files are local. */
export function createPages({ imagesUrl }: Pick<Context, 'imagesUrl'>): Router {
  const pages = Router({ strict: true });
  for (const [path, document] of documents)
    pages.get(path, (request, response) => {
      response.setHeader('Access-Control-Allow-Origin', '*');
      sendFile(document(), { request, response, cacheControl: 'no-cache' });
    });
  pages.get('/', (_request, response) => response.redirect('/dashboard'));
  // The page's own files are named relative to a folder.
  pages.get('/docs', (_request, response) => response.redirect('/docs/'));
  pages.use(
    '/docs/',
    allowOwnFiles,
    express.static(join(webFolder, 'docs')),
    ownFilesOnly,
    express.static(swaggerFolder),
  );
  pages.use(serveDashboard(imagesUrl));
  return pages;
}

/** The interface document, whole and as some generators need it. Made when it is first asked for: most processes never are. */
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

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  // The reference page writes style attributes.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** The files that the page loads. The package also holds other builds, source maps and an OAuth page. */
const swaggerFiles: ReadonlySet<string> = new Set([
  ...['/', '/index.html', '/index.css', '/swagger-ui.css', '/favicon-16x16.png', '/favicon-32x32.png'],
  ...['/swagger-ui-bundle.js', '/swagger-ui-bundle.js.LICENSE.txt'],
  ...['/swagger-ui-standalone-preset.js', '/swagger-ui-standalone-preset.js.LICENSE.txt'],
]);

const ownFilesOnly: express.RequestHandler = ({ path }, _response, next) => {
  // 'router' leaves the whole chain, because nothing else is served under these paths.
  next(swaggerFiles.has(path) ? undefined : 'router');
};

const allowOwnFiles: express.RequestHandler = (_request, response, next) => {
  response.setHeader('Content-Security-Policy', policy);
  next();
};
