import { gzipSync } from 'node:zlib';
import { Router } from 'express';
import type { Context } from '../../usecases/context.ts';
import { buildDocument } from '../openapi/build-document.ts';
import { routes } from '../routes.ts';
import { pageFile, sendFile, type PageFile } from './send-file.ts';
import { serveDashboard } from './serve-dashboard.ts';
import { serveDocs } from './serve-docs.ts';

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
