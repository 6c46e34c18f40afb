import { Command } from 'commander';
import { openAdministration } from './administer-accounts.ts';
import { addSystemOptions, findDatabase, type SystemOptions } from './running-system.ts';

interface CheckOptions extends SystemOptions {
  readonly repair: boolean;
}

/**
 * `itembridge check-sums [--repair]`. May run while the system works. Exit code 1 when wrong sums were found and not
 * repaired.
 */
export const checkSumsCommand = addSystemOptions(new Command('check-sums'))
  .description('compare the sums behind the partner analytics and the commission with all items and orders')
  .option('--repair', 'make them right', false)
  .action(checkSums);

async function checkSums(options: CheckOptions): Promise<void> {
  const { repair } = options;
  const administration = await openAdministration(findDatabase(options));
  let accounts = 0;
  try {
    for await (const { accountId, itemCounts, orderSums, commissionSums } of administration.checkSums({ repair })) {
      accounts += 1;
      const wrong = [`${itemCounts} wrong counts of items`, `${orderSums} wrong sums of orders`];
      console.log(`${accountId}: ${wrong.join(', ')}, ${commissionSums} wrong sums of commission`);
    }
    console.log(accounts === 0 ? 'All sums are right.' : `${accounts} accounts ${repair ? 'put right' : 'are wrong'}.`);
    if (accounts > 0 && !repair) process.exitCode = 1;
  } finally {
    await administration.close();
  }
}
