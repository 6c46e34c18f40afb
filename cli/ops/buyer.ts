import { Command, Option } from 'commander';
import type { BuyerKey } from '../../usecases/operations/buyers.ts';
import { addOperationsOptions, withOperations, type OperationsOptions } from './open-operations.ts';

interface BuyerOptions extends OperationsOptions {
  readonly email?: string;
  readonly marketplaceUser?: string;
}

/** `itembridge ops buyer …`: what a person may ask for whose data an order has brought here (docs/personal-data.md). */
export const buyerCommand = new Command('buyer')
  .description('what is stored of a buyer: export it, or erase it')
  .addCommand(addKeyOptions(new Command('export')).description('all of it, as JSON').action(exportBuyer))
  .addCommand(
    addKeyOptions(new Command('erase'))
      .description('from all orders of all sellers; what the sellers need for their books stays')
      .action(eraseBuyer),
  );

function addKeyOptions(command: Command): Command {
  return addOperationsOptions(command)
    .addOption(new Option('--email <address>', 'of the buyer, in any case').conflicts('marketplaceUser'))
    .addOption(new Option('--marketplace-user <id>', "the marketplace's id of the buyer"));
}

async function exportBuyer(options: BuyerOptions): Promise<void> {
  const orders = await withOperations(options, (operations) => operations.exportBuyer(keyOf(options)));
  console.log(JSON.stringify({ orders }, undefined, 2));
}

async function eraseBuyer(options: BuyerOptions): Promise<void> {
  const erased = await withOperations(options, (operations) => operations.eraseBuyer(keyOf(options)));
  if (options.json) console.log(JSON.stringify(erased));
  else if (erased.orders === 0) console.log('Nothing is stored of this buyer.');
  else console.log(`Erased from ${erased.orders} orders of ${erased.sellers} sellers; their logs say so.`);
}

function keyOf({ email, marketplaceUser }: BuyerOptions): BuyerKey {
  if (email !== undefined && email.trim() !== '') return { email };
  if (marketplaceUser !== undefined && marketplaceUser !== '') return { marketplaceUserId: marketplaceUser };
  throw new Error('name the buyer: --email or --marketplace-user');
}
