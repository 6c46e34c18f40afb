import { readFile } from 'node:fs/promises';
import test from 'ava';
import type { Express } from 'express';
import { pino } from 'pino';
import type { Served } from '../../api/http/api-parts.ts';
import { createApp } from '../../api/http/create-app.ts';
import { documentText } from '../../api/openapi/build-document.ts';
import { routes } from '../../api/routes.ts';
import { interfaceDocument } from '../support/interface-document.ts';

/** What people open in a browser; not part of the interface for programs. A new entry needs as good a reason. */
const joinForms = ['join', 'sharing', 'leave', 'sign-up', 'sign-in', 'sign-out'];
const pages = [
  ...[
    'get /',
    'get /dashboard{/*path}',
    'get /dashboard/assets/{*path}',
    'get /docs',
    'get /docs/',
    'get /docs/try',
    'get /docs/reference',
    'get /docs/reference/',
    'get /docs/reference/{name}',
    'get /docs/guides',
    'get /docs/guides/',
    'get /docs/guides/{name}',
    'get /docs/assets/{name}',
  ],
  ...['get /openapi.json', 'get /openapi-without-webhooks.json'],
  ...['get /p/{slug}', 'get /p/{slug}/logo', 'get /p/assets/{file}'],
  ...joinForms.flatMap((form) => [`get /p/{slug}/${form}`, `post /p/{slug}/${form}`]),
];

interface Layer {
  readonly route?: { readonly path: string; readonly stack: readonly { readonly method?: string }[] };
  readonly handle: { readonly stack?: readonly Layer[] };
}

/** `get /items/{id}` for everything that Express itself would serve, however it got there. */
function served(layers: readonly Layer[]): string[] {
  return layers.flatMap(({ route, handle }) =>
    route === undefined
      ? served(handle.stack ?? [])
      : route.stack.map(({ method }) => `${method ?? 'all'} ${route.path.replaceAll(/:(\w+)/g, '{$1}')}`),
  );
}

const app: Express = createApp({
  context: { logger: pino({ level: 'silent' }), publicUrl: 'http://api.test', imagesUrl: 'http://api.test/images' },
  parts: { trustedProxies: [] as readonly string[] },
} as unknown as Served);
const expressRoutes = served(app.router.stack as unknown as readonly Layer[]);
const document = interfaceDocument<{
  readonly paths: Record<string, Record<string, Record<string, unknown>>>;
  readonly components: { readonly schemas: Record<string, unknown> };
}>();
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, path, operation })),
);

test('Express serves exactly what the document describes, and a few pages', (t) => {
  t.true(expressRoutes.length > 30);
  t.deepEqual(expressRoutes.toSorted(), [...operations.map(({ name }) => name), ...pages].toSorted());
});

test('nothing is served twice: the second of two would never be reached', (t) => {
  const shapes = expressRoutes.map((route) => route.replaceAll(/\{\w+\}/g, '{}'));
  t.deepEqual(
    shapes.filter((shape, index) => shapes.indexOf(shape) !== index),
    [],
  );
});

test('every parameter of a path is described, and no other', (t) => {
  for (const { name, path, operation } of operations) {
    const described = (operation['parameters'] as { in: string; name: string }[]).filter((one) => one.in === 'path');
    t.deepEqual(
      described.map((one) => one.name),
      [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? ''),
      name,
    );
  }
});

test('every reference leads to a schema, and every schema is referred to', (t) => {
  const text = JSON.stringify(document);
  const references = new Set([...text.matchAll(/#\/components\/schemas\/(\w+)/g)].map((match) => match[1] ?? ''));
  t.deepEqual([...references].toSorted(), Object.keys(document.components.schemas).toSorted());
  t.false(text.includes('"$id"'));
});

test('every group of operations says what it is for', (t) => {
  const { tags } = document as unknown as { tags: { name: string; description?: string }[] };
  for (const { name, description } of tags)
    t.truthy(description, `api/openapi/build-document.ts has no text for ${name}`);
});

test('the committed document is the one that the code describes', async (t) => {
  const committed = await readFile('docs/openapi.json', 'utf8');
  const advice =
    'the contract has changed: run "npm run generate -- openapi", read the difference, commit it with its cause';
  t.deepEqual(JSON.parse(committed), JSON.parse(documentText(routes)), advice);
  t.is(committed, documentText(routes), advice);
});
