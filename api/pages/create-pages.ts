import { dirname, join } from 'node:path';
import { createRequire } from 'node:module';
import express, { Router } from 'express';
import type { Context } from '../../usecases/context.ts';
import { buildDocument } from '../openapi/build-document.ts';
import { routes } from '../routes.ts';
import { locateFolder } from './locate-folder.ts';
import { serveDashboard } from './serve-dashboard.ts';

const webFolder = locateFolder('web');
const swaggerFolder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** Serves the pages for browsers: the reference of the interface and the dashboard. All files are local. */
export function createPages({ imagesUrl }: Pick<Context, 'imagesUrl'>): Router {
  const pages = Router({ strict: true });
  const openapi = Buffer.from(JSON.stringify(buildDocument(routes)));
  pages.get('/openapi.json', (_request, response) => {
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.type('application/json').send(openapi);
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
