// `npm run generate -- answers`: sends what integrators send by mistake, and writes answers.md.
import { writeFileSync } from 'node:fs';
import test from 'ava';
import { withApiWorld } from '../../support/api-world.ts';
import { freshPage, pageFile } from './page.ts';

const world = withApiWorld(test);

test('answers.md is written', async (t) => {
  writeFileSync(pageFile, await freshPage(world()));
  t.pass();
});
