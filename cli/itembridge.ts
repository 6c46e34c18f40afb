import { Command, CommanderError } from 'commander';
import { Refusal } from '../core/errors.ts';
import { checkSumsCommand } from './check-sums.ts';
import { grantResellerCommand } from './grant-reseller.ts';
import { reEncryptSecretsCommand } from './re-encrypt-secrets.ts';

// The itembridge command: what an administrator does beside the HTTP interface. One file per command.
const program = new Command('itembridge')
  .description('Administration of a running itembridge')
  .addCommand(checkSumsCommand)
  .addCommand(grantResellerCommand)
  .addCommand(reEncryptSecretsCommand);

try {
  await program.parseAsync();
} catch (error) {
  console.error(describe(error));
  process.exitCode = 1;
}

/** An expected "no" in words; anything else with where it came from. */
function describe(error: unknown): string {
  if (error instanceof Refusal) {
    const details = (error.details ?? []).map(({ field, message }) => `\n  ${field} ${message}`);
    return `${error.message} (${error.code})${details.join('')}`;
  }
  if (error instanceof CommanderError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
