/** A small tree of files that breaks one rule. Keys are paths, values the whole text of the file. */
export interface BrokenExample {
  readonly rule: string;
  readonly files: Readonly<Record<string, string>>;
}

const leaf = 'export const leaf = 1;\n';
const use = (target: string): string => `import { leaf } from '${target}';\nexport const used = leaf;\n`;
const useType = (target: string): string => `import type { leaf } from '${target}';\nexport type Used = typeof leaf;\n`;
const load = (packageName: string): string => `import thing from '${packageName}';\nexport const used = thing;\n`;

/** One file of `from` that imports one file of `to`. */
const importing = (rule: string, from: string, to: string): BrokenExample => {
  const climb = '../'.repeat(from.split('/').length - 1) || './';
  return { rule, files: { [from]: use(`${climb}${to}`), [to]: leaf } };
};

/** At least one for every rule of the table; some rules have one for each way to break them. */
export const brokenExamples: readonly BrokenExample[] = [
  importing('rules-import-rules', 'features/rules/money.ts', 'platform/logger.ts'),
  { rule: 'rules-need-no-package', files: { 'features/items/rules/hash.ts': load('node:crypto') } },
  { rule: 'rules-need-no-package', files: { 'features/rules/limit.ts': load('p-limit') } },
  importing('schemas-import-rules', 'schemas/item.ts', 'compose/config.ts'),
  importing('security-imports-rules', 'platform/security/sign.ts', 'features/accounts/store/keys.ts'),
  importing('platform-imports-shared-rules', 'platform/logger.ts', 'features/items/rules/item.ts'),
  importing('ports-import-rules', 'gateways/marketplace/port.ts', 'gateways/marketplace/http-marketplace.ts'),
  importing('ports-import-rules', 'gateways/marketplace/port.ts', 'gateways/image-store/port.ts'),
  importing('stores-import-rules-and-platform', 'features/items/store/items.ts', 'features/items/upsert-item.ts'),
  importing('features-know-ports-not-gateways', 'features/items/upsert-item.ts', 'gateways/orchestrator/temporal.ts'),
  importing('features-know-ports-not-gateways', 'features/items/upsert-item.ts', 'workflows/contracts/workflows.ts'),
  importing('features-know-ports-not-gateways', 'features/relay/relay.ts', 'gateways/orchestrator/temporal.ts'),
  importing('features-know-ports-not-gateways', 'features/relay/relay.ts', 'workflows/contracts/workflows.ts'),
  importing('nothing-knows-the-relay', 'features/items/advance-item.ts', 'features/relay/relay.ts'),
  importing('activities-call-usecases', 'activities/items.ts', 'gateways/marketplace/http-marketplace.ts'),
  importing('activities-call-usecases', 'activities/items.ts', 'workflows/items/item-lifecycle.ts'),
  importing('workflows-stay-in-the-sandbox', 'workflows/items/item-lifecycle.ts', 'features/items/store/items.ts'),
  {
    rule: 'workflows-stay-in-the-sandbox',
    files: {
      'workflows/items/item-lifecycle.ts': useType('../../features/items/upsert-item.ts'),
      'features/items/upsert-item.ts': leaf,
    },
  },
  importing('workflows-import-types-of-activities', 'workflows/items/item-lifecycle.ts', 'activities/items.ts'),
  { rule: 'workflows-need-no-package', files: { 'workflows/items/item-lifecycle.ts': load('node:timers/promises') } },
  { rule: 'workflows-need-no-package', files: { 'workflows/contracts/ids.ts': load('p-limit') } },
  importing('contracts-import-rules', 'workflows/contracts/ids.ts', 'workflows/items/item-lifecycle.ts'),
  importing('workers-only-host', 'workers/run-workers.ts', 'features/items/upsert-item.ts'),
  importing('gateways-stand-alone', 'gateways/marketplace/http-marketplace.ts', 'gateways/image-store/disk.ts'),
  importing('gateways-stand-alone', 'gateways/marketplace/http-marketplace.ts', 'features/items/store/items.ts'),
  importing('orchestrator-knows-contracts', 'gateways/orchestrator/temporal.ts', 'features/items/upsert-item.ts'),
  importing(
    'orchestrator-imports-types-of-workflows',
    'gateways/orchestrator/temporal.ts',
    'workflows/items/item-lifecycle.ts',
  ),
  importing('api-calls-usecases', 'api/handlers/items.ts', 'features/items/store/items.ts'),
  importing('api-calls-usecases', 'api/handlers/items.ts', 'workflows/contracts/workflows.ts'),
  importing('api-calls-usecases', 'api/handlers/items.ts', 'gateways/orchestrator/port.ts'),
  importing('api-calls-usecases', 'api/handlers/items.ts', 'compose/context.ts'),
  importing('api-calls-usecases', 'api/handlers/items.ts', 'platform/database/transaction.ts'),
  importing('cli-calls-usecases', 'cli/administer-accounts.ts', 'features/accounts/store/accounts.ts'),
  importing('web-knows-only-http', 'web/dashboard/main.ts', 'schemas/item.ts'),
  importing('client-imports-nothing', 'client/client.ts', 'schemas/item.ts'),
  importing('client-files-run-in-browsers', 'client/files/item-file.ts', 'client/retries.ts'),
  { rule: 'client-files-run-in-browsers', files: { 'client/files/item-file.ts': load('node:fs') } },
  { rule: 'client-needs-no-package', files: { 'client/client.ts': load('p-limit') } },
  importing('simulators-share-no-code', 'simulators/marketplace.ts', 'features/rules/money.ts'),
  importing('simulators-share-no-code', 'simulators/marketplace.ts', 'platform/security/sign.ts'),
  importing('simulators-share-no-code', 'simulators/marketplace.ts', 'gateways/marketplace/rest-marketplace.ts'),
  importing('embedded-starts-processes', 'embedded/start.ts', 'features/items/store/items.ts'),
  importing('compose-joins-no-entry-point', 'compose/worker.ts', 'simulators/marketplace.ts'),
  importing('compose-joins-no-entry-point', 'compose/api.ts', 'api/http/route.ts'),
  // Nobody in production imports what stands beside the product: the table has no row that allows it.
  importing('features-know-ports-not-gateways', 'features/items/upsert-item.ts', 'test/support/fake.ts'),
  importing('api-calls-usecases', 'api/routes.ts', 'examples/catalogue.ts'),
  importing('bin-only-starts', 'bin/api.ts', 'features/items/upsert-item.ts'),
  importing('nothing-imports-an-entry-point', 'test/system.ts', 'bin/api.ts'),

  { rule: 'mongoose-only-in-stores', files: { 'features/items/find.ts': load('mongoose') } },
  { rule: 'mongodb-driver-only-for-set-up', files: { 'features/items/find.ts': load('mongodb') } },
  { rule: 'express-only-in-api', files: { 'features/items/find.ts': load('express') } },
  {
    rule: 'express-only-in-api',
    files: { 'features/items/find.ts': `import type { Request } from 'express';\nexport type R = Request;\n` },
  },
  { rule: 'undici-only-at-the-edge', files: { 'features/items/find.ts': load('undici') } },
  { rule: 'outside-clients-only-in-gateways', files: { 'activities/images.ts': load('sharp') } },
  { rule: 'observation-libraries-only-in-platform', files: { 'features/count.ts': load('prom-client') } },
  { rule: 'secrets-libraries-only-in-security', files: { 'api/http/authenticate.ts': load('jsonwebtoken') } },
  { rule: 'temporal-workflow-only-in-workflows', files: { 'activities/items.ts': load('@temporalio/workflow') } },
  { rule: 'temporal-worker-only-in-workers', files: { 'activities/items.ts': load('@temporalio/worker') } },
  {
    rule: 'temporal-activity-only-in-activities',
    files: { 'features/items/heartbeat.ts': load('@temporalio/activity') },
  },
  { rule: 'temporal-client-only-in-orchestrator', files: { 'api/handlers/items.ts': load('@temporalio/client') } },

  {
    rule: 'no-cycles',
    files: {
      'features/rules/a.ts': use('./b.ts'),
      'features/rules/b.ts': `import { used } from './a.ts';\nexport const leaf = () => used;\n`,
    },
  },
  { rule: 'no-orphans', files: { 'features/items/forgotten.ts': leaf } },
  { rule: 'no-unresolved-imports', files: { 'features/items/find.ts': use('./never-written.ts') } },
  { rule: 'product-needs-no-dev-dependency', files: { 'features/items/find.ts': load('fast-check') } },
  { rule: 'every-file-has-a-home', files: { 'utils/strings.ts': leaf } },
  { rule: 'every-file-has-a-home', files: { 'helper.ts': load('p-limit') } },
];
