import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Command } from 'commander';
import type { ErasurePlan } from '../../features/operations/erase-account.ts';
import type { ExportedFile } from '../../features/operations/export-account.ts';
import { counted } from '../../features/rules/counted.ts';
import { exitCodes, UsageError } from '../exit-codes.ts';
import { addOperatorOption } from '../operator.ts';
import { addOperationsOptions, table, withOperations, type OperationsOptions } from './open-operations.ts';

interface ExportOptions extends OperationsOptions {
  readonly to: string;
}

interface EraseOptions extends OperationsOptions {
  readonly as: string;
  readonly yes: boolean;
}

const forAccount = (name: string): Command =>
  addOperatorOption(addOperationsOptions(new Command(name))).argument('<email>', 'email address of the account');

/** `itembridge ops account …`: for a partner that asks for its data, or leaves (docs/personal-data.md). */
export const accountCommand = new Command('account')
  .description('a partner that leaves: export all that is stored of it, or erase it')
  .addCommand(
    forAccount('export')
      .description('all of it as files that the partner can read: JSON, a row a line, and its pictures')
      .requiredOption('--to <folder>', 'a folder that is not there yet')
      .action(exportAccount),
  )
  .addCommand(
    forAccount('erase')
      .description('shows what would be erased, and what is in its way; what the books need stays')
      .option('--yes', 'erase it; the same command goes on with an erasure that was broken off', false)
      .action(eraseAccount),
  );

async function exportAccount(email: string, options: ExportOptions): Promise<void> {
  const part = `${options.to}.part`;
  for (const folder of [options.to, part]) if (existsSync(folder)) throw new UsageError(`${folder} is there already.`);
  // First, because the account's log says that it was exported.
  await mkdir(part, { mode: 0o700 });
  let files = 0;
  try {
    await withOperations(options, async (operations) => {
      for await (const file of operations.exportAccount(email)) {
        await write(part, file);
        files += 1;
      }
    });
    await rename(part, options.to);
  } finally {
    await rm(part, { recursive: true, force: true });
  }
  console.log(options.json ? JSON.stringify({ files }) : `${counted(files, 'file')} in ${options.to}.`);
}

/** The operator alone may read them, and hands them on. */
async function write(folder: string, { name, content }: ExportedFile): Promise<void> {
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await pipeline(Readable.from(content), createWriteStream(path, { flags: 'wx', mode: 0o600 }));
}

async function eraseAccount(email: string, options: EraseOptions): Promise<void> {
  const plan = await withOperations(options, (operations) =>
    options.yes ? operations.eraseAccount(email) : operations.planErasure(email),
  );
  console.log(options.json ? JSON.stringify({ ...plan, isErased: isErased(plan, options) }) : describe(plan, options));
  if (plan.blockers.length > 0) process.exitCode = exitCodes.someFailed;
  if (!isErased(plan, options)) return;
  // A restored backup has the account again: the log of the command tells whom to erase once more.
  const { createLogger } = await import('../../platform/logger.ts');
  createLogger('command', 'info', process.stderr.fd).info(
    { accountId: plan.accountId, operator: options.as },
    'account.erased',
  );
}

const isErased = ({ blockers }: ErasurePlan, { yes }: EraseOptions): boolean => yes && blockers.length === 0;

function describe(plan: ErasurePlan, options: EraseOptions): string {
  const { accountId, isSuspended, blockers, rows, images, saleUntil } = plan;
  if (blockers.length > 0)
    return [
      `Account ${accountId} can't be erased yet:`,
      ...(isSuspended ? ['  It is suspended; what an erasure has deleted so far is gone.'] : []),
      ...blockers.map(({ what, ids, howToEnd }) => `  ${[what, ...ids].join(' ')}\n    ${howToEnd}`),
    ].join('\n');
  if (isErased(plan, options))
    return `Account ${accountId} is erased; ${counted(rows['orders'] ?? 0, 'order')} kept for the books.`;
  const counts = Object.entries({ ...rows, images })
    .filter(([, count]) => count > 0)
    .map(([name, count]) => [name, String(count)]);
  return [
    table(['OF ACCOUNT', accountId], counts),
    ...(saleUntil === null
      ? []
      : [`Wait until ${saleUntil.toISOString()}: a sale of its last auction may be reported, and would be lost.`]),
    'Nothing was done: --yes erases it. Export it first, if the partner wants its data.',
  ].join('\n');
}
