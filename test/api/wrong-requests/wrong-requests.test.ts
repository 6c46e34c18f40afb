import { readFileSync } from 'node:fs';
import test from 'ava';
import { withApiWorld } from '../../support/api-world.ts';
import { freshPage, pageFile } from './page.ts';

const world = withApiWorld(test);

test('wrong requests are answered as recorded; else run npm run generate -- answers', async (t) => {
  t.deepEqual((await freshPage(world())).split('\n'), readFileSync(pageFile, 'utf8').split('\n'));
});
