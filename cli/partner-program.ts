import { Command } from 'commander';
import { clientVersion } from '../client/user-agent.ts';
import { describeFailure } from './exit-codes.ts';
import { itemsCommand } from './items/items.ts';
import { keysCommand } from './keys/keys.ts';
import { syncCommand } from './sync/sync.ts';
import { webhooksCommand } from './webhooks/listen.ts';

/** The commands that need nothing but the HTTP interface: what a customer of a hosted service has. */
export const createPartnerProgram = (): Command =>
  new Command('itembridge')
    .description('Items, webhooks and keys of an itembridge account')
    .version(clientVersion, '-V, --version', 'print the version')
    // An option belongs to the command before it, as in `sync` and its subcommand `status`.
    .enablePositionalOptions()
    .addCommand(syncCommand)
    .addCommand(itemsCommand)
    .addCommand(webhooksCommand)
    .addCommand(keysCommand);

/** Runs the command that the process's arguments name, and sets its exit code. */
export async function runProgram(program: Command): Promise<void> {
  try {
    throwInsteadOfExit(program);
    await program.parseAsync();
  } catch (error) {
    const { code, text } = describeFailure(error);
    if (text !== undefined) console.error(text);
    process.exitCode = code;
  }
}

/** Gives wrong usage its own exit code. Child commands added later do not inherit the setting. */
function throwInsteadOfExit(command: Command): void {
  command.exitOverride();
  for (const child of command.commands) throwInsteadOfExit(child);
}
