// npm run evidence -- screens [--items N --members N,N --only PART,PART --pages PAGE,PAGE]: how many bytes the dashboard is, how fast it is
// there with 2,000 items, how pages move while they load, how soon they show a change, and a reseller's pages with 203 and 2,003
// members; printed, and written into build/evidence/screens.md. PAGE: of the layout shift, which prints also what moves.
// BROWSER_TEST_READY_FILE names the ready file of a system that runs already.
import { parseArgs } from 'node:util';
import { buildWeb } from './build-web.mjs';
import { prepare } from './prepare.mjs';
import { runMain } from './report-step.mjs';
import { binaryVariables, resolveBinaries } from './resolve-binaries.mjs';

await runMain(async () => {
  await prepare();
  await buildWeb();
  Object.assign(process.env, binaryVariables(await resolveBinaries(['temporal', 'mongod'])));
  const { register } = await import('tsx/esm/api');
  register();
  const { measureDashboard, partNames } = await import('../test/browser/support/measure-dashboard.ts');
  const option = (value) => ({ type: 'string', default: value });
  const { values } = parseArgs({
    options: {
      items: option('2000'),
      members: option('203,2003'),
      only: option(partNames.join(',')),
      pages: option(''),
    },
  });
  await measureDashboard({
    parts: values.only.split(','),
    itemCount: Number(values.items),
    memberCounts: values.members.split(',').map(Number),
    pages: values.pages === '' ? [] : values.pages.split(','),
  });
  process.exit();
});
