import test from 'ava';
import { matchPath } from '../../web/dashboard/src/routing/match-path.ts';

const pattern = '/dashboard/items/:externalId';

test('a parameter is decoded, also one with a slash in it', (t) => {
  t.deepEqual(matchPath(pattern, '/dashboard/items/A%2F1%20%C3%B6'), { externalId: 'A/1 ö' });
});

test('a path with more or fewer parts does not fit, nor one that is no percent-encoding', (t) => {
  t.is(matchPath(pattern, '/dashboard/items'), undefined);
  t.is(matchPath(pattern, '/dashboard/items/A/1'), undefined);
  t.is(matchPath(pattern, '/dashboard/items/%zz'), undefined);
  t.is(matchPath(pattern, '/dashboard/orders/A1'), undefined);
});

test('a slash at the end changes nothing', (t) => {
  t.deepEqual(matchPath('/dashboard', '/dashboard/'), {});
});
