import { readFileSync } from 'node:fs';
import test from 'ava';
import { withApiWorld } from '../../support/api-world.ts';
import { freshPage, pageFile } from './page.ts';

const world = withApiWorld(test);

test('the page of wrong requests shows what is answered now; else run npm run requests:record', async (t) => {
  t.deepEqual((await freshPage(world())).split('\n'), readFileSync(pageFile, 'utf8').split('\n'));
});
