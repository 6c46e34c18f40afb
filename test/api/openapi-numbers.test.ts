import test from 'ava';
import { buildDocument } from '../../api/openapi/build-document.ts';
import { routes } from '../../api/routes.ts';

interface Found {
  readonly path: string;
  readonly format: unknown;
}

/** Every schema of a number that may have decimals, wherever in the document. */
function numbersIn(part: unknown, path = ''): Found[] {
  if (typeof part !== 'object' || part === null) return [];
  const isNumber = 'type' in part && [part.type].flat().includes('number');
  const format = 'format' in part ? part.format : undefined;
  const below = Object.entries(part).flatMap(([key, value]) => numbersIn(value, `${path}/${key}`));
  return isNumber ? [{ path, format }, ...below] : below;
}

// specification: amounts-survive-generated-clients
test('every number with decimals is a double: without the format generators take 32 bits, which no amount of money survives', (t) => {
  const numbers = numbersIn(buildDocument(routes));
  t.deepEqual(
    numbers.filter(({ format }) => format !== 'double').map(({ path }) => path),
    [],
  );
  const names = new Set(numbers.map(({ path }) => path.split('/').at(-1)));
  for (const amount of ['price', 'shippingCost', 'salePrice', 'amount', 'fee', 'net', 'gross', 'owed', 'totalPending'])
    t.true(names.has(amount), amount);
});
