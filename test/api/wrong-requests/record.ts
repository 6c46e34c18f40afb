// `npm run requests:record`: sends what integrators send by mistake, and writes docs/evidence/wrong-requests.md.
import { writeFileSync } from 'node:fs';
import test from 'ava';
import { withApiWorld } from '../../support/api-world.ts';
import { freshPage, pageFile } from './page.ts';

const world = withApiWorld(test);

test('docs/evidence/wrong-requests.md is written', async (t) => {
  writeFileSync(pageFile, await freshPage(world()));
  t.pass();
});
