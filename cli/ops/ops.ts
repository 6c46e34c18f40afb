import { Command } from 'commander';
import { buyerCommand } from './buyer.ts';
import { explainCommand } from './explain.ts';
import { listsCommand } from './lists.ts';
import { retryCommand } from './retry.ts';
import { stuckCommand } from './stuck.ts';

/** `itembridge ops …`: lists stuck work with its reasons, and retries it (docs/operations.md). */
export const opsCommand = new Command('ops')
  .description('find what stands still, read why, and try it again; what is stored of a buyer')
  .addCommand(stuckCommand)
  .addCommand(explainCommand)
  .addCommand(retryCommand)
  .addCommand(listsCommand)
  .addCommand(buyerCommand);
