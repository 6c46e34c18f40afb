import { Command } from 'commander';
import { checkSumsCommand } from '../cli/check-sums.ts';
import { describeFailure } from '../cli/exit-codes.ts';
import { grantOperatorCommand } from '../cli/grant-operator.ts';
import { grantResellerCommand } from '../cli/grant-reseller.ts';
import { itemsCommand } from '../cli/items/items.ts';
import { keysCommand } from '../cli/keys/keys.ts';
import { moveImagesCommand } from '../cli/move-images.ts';
import { opsCommand } from '../cli/ops/ops.ts';
import { reEncryptSecretsCommand } from '../cli/re-encrypt-secrets.ts';
import { resumeAccountCommand } from '../cli/resume-account.ts';
import { revokeOperatorCommand } from '../cli/revoke-operator.ts';
import { revokeResellerCommand } from '../cli/revoke-reseller.ts';
import { suspendAccountCommand } from '../cli/suspend-account.ts';
import { syncCommand } from '../cli/sync/sync.ts';
import { webhooksCommand } from '../cli/webhooks/listen.ts';

// The itembridge command: for partners the HTTP interface, for administrators further actions. One file per command.
const program = new Command('itembridge')
  .description('Items, webhooks and keys of an itembridge account, and the administration of a running itembridge')
  // An option belongs to the command before it, as for `sync` and its `status`.
  .enablePositionalOptions()
  .addCommand(syncCommand)
  .addCommand(itemsCommand)
  .addCommand(webhooksCommand)
  .addCommand(keysCommand)
  .commandsGroup('For administrators (with access to the database):')
  .addCommand(grantResellerCommand)
  .addCommand(revokeResellerCommand)
  .addCommand(grantOperatorCommand)
  .addCommand(revokeOperatorCommand)
  .addCommand(suspendAccountCommand)
  .addCommand(resumeAccountCommand)
  .addCommand(opsCommand)
  .addCommand(checkSumsCommand)
  .addCommand(reEncryptSecretsCommand)
  .addCommand(moveImagesCommand);

try {
  throwInsteadOfExit(program);
  await program.parseAsync();
} catch (error) {
  const { code, text } = describeFailure(error);
  if (text !== undefined) console.error(text);
  process.exitCode = code;
}

/** Gives wrong usage its own exit code. Child commands added later do not inherit the setting. */
function throwInsteadOfExit(command: Command): void {
  command.exitOverride();
  for (const child of command.commands) throwInsteadOfExit(child);
}
