import { readFileSync } from 'node:fs';
import test from 'ava';
import { accountId } from '../../features/rules/ids.ts';
import ts from 'typescript';
import type { Question } from '../../gateways/ai/language-model.ts';
import { createModelTextImprover } from '../../gateways/ai/model-text-improver.ts';
import { buildDocument } from '../../api/openapi/build-document.ts';
import { routes } from '../../api/routes.ts';
import { sourceFiles } from '../rules/source-files.ts';

// A regular expression that goes back and forth over what a stranger sent holds up everybody. So each one of the product, and each
// pattern of the interface, meets texts that are long and almost fit.

const product = /^(activities|api|client|compose|features|gateways|platform|schemas|workers|workflows)\//;
/** The last is as long as all headers of a request together; texts in bodies have shorter limits. */
const lengths = [20, 26, 60, 400, 2_000, 16_000];
/** Ten times what the slowest of ours needs; one that begins anywhere needs 200 to 300. */
const patienceMs = 50;

interface Found {
  readonly expression: RegExp;
  readonly place: string;
}

/** What they look at is the operator's own setting, or the address that a partner's own program was given. */
const ownSettings = new Set([
  'client/create-itembridge-client.ts',
  'gateways/ai/openai-model.ts',
  'compose/config.ts',
  'compose/marketplace-config.ts',
  'compose/read-settings.ts',
  'platform/tracing-open-telemetry.ts',
]);

function literalsIn(file: string): Found[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
  const found: Found[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const [, body = '', flags = ''] = /^\/(.*)\/([a-z]*)$/s.exec(node.text) ?? [];
      found.push({ expression: new RegExp(body, flags), place: `${file} ${node.text}` });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function patternsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { pattern } = value as { pattern?: unknown };
  return [...(typeof pattern === 'string' ? [pattern] : []), ...Object.values(value).flatMap(patternsIn)];
}

/** Repeats of what the expression itself speaks of. */
function temptations({ source }: RegExp): string[] {
  const own = Array.from(source.replaceAll(/\\[dDwWsSbBpPnrtu]|[\\^$.*+?()[\]{}|]/g, ''));
  const characters = [...new Set([...Array.from('a0A -/.,=<\t\u00e5'), ...own])].slice(0, 40);
  return [...new Set([...characters, ...own.slice(0, 8).flatMap((one) => [`a${one}`, `0${one}`, `${one} `])])];
}

/** Longer and longer, so that one that explodes is found while it still comes to an end. */
function slowest({ expression }: Found): { ms: number; text: string } {
  let worst = { ms: 0, text: '' };
  for (const piece of temptations(expression))
    for (const characters of lengths) {
      const text = `${piece.repeat(Math.ceil(characters / piece.length))}\u0001!`;
      const ms = leastTimeOf(expression, text);
      if (ms > worst.ms) worst = { ms, text };
      if (ms > patienceMs) return worst;
    }
  return worst;
}

/** What takes long by chance, because garbage is collected meanwhile, doesn't do so three times. */
function leastTimeOf(expression: RegExp, text: string): number {
  const first = timeOf(expression, text);
  return first <= patienceMs ? first : Math.min(first, timeOf(expression, text), timeOf(expression, text));
}

/** Of the processor, because others may use the machine meanwhile. */
function timeOf(expression: RegExp, text: string): number {
  const from = process.cpuUsage();
  if (expression.global) text.replaceAll(expression, '');
  else expression.test(text);
  return process.cpuUsage(from).user / 1_000;
}

test('no regular expression of the product, and no pattern of the interface, takes long over a text that almost fits', async (t) => {
  const files = (await sourceFiles()).filter((file) => product.test(file) && !ownSettings.has(file));
  const literals = files.flatMap(literalsIn);
  const patterns = [...new Set(patternsIn(buildDocument(routes)))].map((source) => ({
    expression: new RegExp(source, 'u'),
    place: `pattern of the interface ${source}`,
  }));
  t.true(literals.length > 60 && patterns.length > 5);
  const slow = [...literals, ...patterns].flatMap((found) => {
    const { ms, text } = slowest(found);
    return ms > patienceMs ? [`${found.place}: ${ms.toFixed(0)} ms over ${JSON.stringify(text.slice(0, 4))}…`] : [];
  });
  t.deepEqual(slow, []);
});

const explosive = { 'nested repeats': /^(?:\w+,?)*;$/, 'a repeat that begins anywhere': /a+;/ };
for (const [what, expression] of Object.entries(explosive))
  test(`an expression that goes back and forth is found: ${what}`, (t) => {
    t.true(slowest({ expression, place: '' }).ms > patienceMs);
  });

test('an improved text of nothing but at signs is judged at once', async (t) => {
  const text = { accountId: accountId('a'), title: 'Bil', description: '@'.repeat(20_000), domain: 'other' } as const;
  const model = { ask: <Result>({ read }: Question<Result>) => Promise.resolve(read(text)) };
  const from = process.cpuUsage();
  t.is((await createModelTextImprover(model).improve(text)).description, text.description);
  t.true(process.cpuUsage(from).user < 10_000_000);
});
