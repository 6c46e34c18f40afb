import { Command, Option } from 'commander';
import type { BuyerKey } from '../../features/operations/export-and-erase-buyer.ts';
import { addOperatorOption } from '../operator.ts';
import { accountCommand } from './account.ts';
import { explainCommand } from './explain.ts';
import { addOperationsOptions, withOperations, type OperationsOptions } from './open-operations.ts';
import { retryCommand } from './retry.ts';
import { stuckCommand } from './stuck.ts';
import { counted } from '../../features/rules/counted.ts';

interface BuyerOptions extends OperationsOptions {
  readonly email?: string;
  readonly marketplaceUser?: string;
}

/** `itembridge ops buyer …`: for requests of people whose data came with an order (docs/personal-data.md). */
const buyerCommand = new Command('buyer')
  .description('what is stored of a buyer: export it, or erase it')
  .addCommand(addKeyOptions(new Command('export')).description('all of it, as JSON').action(exportBuyer))
  .addCommand(
    addKeyOptions(new Command('erase'))
      .description('from all orders of all sellers; what the sellers need for their books stays')
      .action(eraseBuyer),
  );

function addKeyOptions(command: Command): Command {
  return addOperatorOption(addOperationsOptions(command))
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
  else
    console.log(
      `Erased from ${counted(erased.orders, 'order')} of ${counted(erased.sellers, 'seller')}; ${erased.sellers === 1 ? 'its log says' : 'their logs say'} so.`,
    );
}

function keyOf({ email, marketplaceUser }: BuyerOptions): BuyerKey {
  if (email !== undefined && email.trim() !== '') return { email };
  if (marketplaceUser !== undefined && marketplaceUser !== '') return { marketplaceUserId: marketplaceUser };
  throw new Error('name the buyer: --email or --marketplace-user');
}

/** `itembridge ops order void ORDER`. Doing it again changes nothing. */
const orderCommand = new Command('order').description('an order that should not count').addCommand(
  addOperatorOption(addOperationsOptions(new Command('void')))
    .description('cancel it, also a completed one, so that it is in no sum and owes no commission')
    .argument('<order>', 'its id')
    .action(voidOrder),
);

async function voidOrder(order: string, options: OperationsOptions): Promise<void> {
  const voided = await withOperations(options, (operations) => operations.voidOrder(order));
  const { orderId, accountId, amount, stateBefore } = voided;
  if (options.json) console.log(JSON.stringify(voided));
  else if (stateBefore === 'cancelled') console.log(`${orderId} was cancelled already; nothing was changed.`);
  else console.log(`${orderId} (${amount} SEK, account ${accountId}) was ${stateBefore} and counts no more.`);
}

/** `itembridge ops …`: lists stuck work with its reasons, and retries it (docs/operations.md). */
export const opsCommand = new Command('ops')
  .description(
    'find what stands still, read why, and try it again; orders that should not count; what is stored of a buyer or an account',
  )
  .addCommand(stuckCommand)
  .addCommand(explainCommand)
  .addCommand(retryCommand)
  .addCommand(orderCommand)
  .addCommand(buyerCommand)
  .addCommand(accountCommand);
