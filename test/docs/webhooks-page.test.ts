import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { deliveredTypes } from '../../core/events/event-types.ts';
import { autoRecoverWindowMs, failedInARowMaxOf, keptMs } from '../../core/webhooks/recovery.ts';
import {
  attemptsMax,
  attemptTimeoutMs,
  disableAfterFailures,
  warnAfterFailures,
} from '../../core/webhooks/delivery.ts';
import { routes } from '../../api/routes.ts';
import { sessionTokenLifetimeSeconds } from '../../security/signed-token.ts';
import { repositoryRoot } from '../rules/source-files.ts';
import { freshPage, pageFile, quotedFiles } from './webhooks-page.ts';

const page = readFileSync(pageFile, 'utf8');

// specification: the-interface-document-has
test('the code on the page is the files of examples/verify-webhook, and its catalogue is what the schemas say', (t) => {
  t.is(page, freshPage(page), 'run "npm run webhooks:page" and read the difference');
});

test('every example is on the page', (t) => {
  const files = readdirSync(join(repositoryRoot, 'examples/verify-webhook')).map(
    (name) => `examples/verify-webhook/${name}`,
  );
  t.deepEqual(quotedFiles(page).toSorted(), files.toSorted());
});

test('a change of an example or of the catalogue is noticed', (t) => {
  for (const part of ['createHmac(', 'hash_equals($signature', '| `salePrice` | number |']) {
    const changed = page.replaceAll(part, 'changed');
    t.not(changed, page, part);
    t.is(freshPage(changed), page, part);
  }
});

// specification: the-interface-document-has
test('every event type has its section', (t) => {
  for (const type of deliveredTypes) t.true(page.includes(`\n### ${type}\n`), type);
});

test('the figures on the page are those of the product', (t) => {
  for (const words of [
    `within ${attemptTimeoutMs / 1000} seconds`,
    `${attemptsMax} attempts`,
    `${disableAfterFailures} in a row`,
    ...warnAfterFailures.map((step) => `at ${step}`),
    `${autoRecoverWindowMs / 3_600_000} hours`,
    `kept for ${keptMs / 86_400_000} days`,
    `lasts ${sessionTokenLifetimeSeconds / 60} minutes`,
    `${failedInARowMaxOf('manual', 0)} that fail in a row`,
    `at ${failedInARowMaxOf('auto', 0)}, the next ones at ${[1, 2].map((n) => failedInARowMaxOf('auto', n)).join(', ')} and ${failedInARowMaxOf('auto', 3)}`,
  ])
    t.true(page.includes(words), words);
});

test('every route on the page exists', (t) => {
  const named = [...page.matchAll(/\b(GET|POST|PUT|PATCH|DELETE) (\/[\w/{}-]+)/g)].map(
    ([, method = '', path = '']) => `${method.toLowerCase()} ${path}`,
  );
  t.true(named.length > 5);
  const known = new Set(routes.map(({ method, path }) => `${method} ${path}`));
  t.deepEqual(
    named.filter((route) => !known.has(route)),
    [],
  );
});
