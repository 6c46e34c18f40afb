import { afterRestoreCommand } from '../cli/after-restore.ts';
import {
  grantOperatorCommand,
  grantResellerCommand,
  resumeAccountCommand,
  revokeOperatorCommand,
  revokeResellerCommand,
  suspendAccountCommand,
} from '../cli/administer-accounts.ts';
import { marketplaceCommand } from '../cli/marketplace/marketplace.ts';
import { migrateCommand } from '../cli/migrate.ts';
import { moveImagesCommand } from '../cli/move-images.ts';
import { opsCommand } from '../cli/ops/ops.ts';
import { createPartnerProgram, runProgram } from '../cli/partner-program.ts';
import { registryCommand } from '../cli/registry/registry.ts';
import { reEncryptSecretsCommand } from '../cli/re-encrypt-secrets.ts';

// The itembridge command: partners' commands over the HTTP interface, and administrators' commands on the database. One
// file per command.
const program = createPartnerProgram()
  .description('Items, webhooks and keys of an itembridge account, and the administration of a running itembridge')
  .commandsGroup('For administrators (with access to the database):')
  .addCommand(migrateCommand)
  .addCommand(grantResellerCommand)
  .addCommand(revokeResellerCommand)
  .addCommand(grantOperatorCommand)
  .addCommand(revokeOperatorCommand)
  .addCommand(suspendAccountCommand)
  .addCommand(resumeAccountCommand)
  .addCommand(opsCommand)
  .addCommand(afterRestoreCommand)
  .addCommand(reEncryptSecretsCommand)
  .addCommand(moveImagesCommand)
  .addCommand(registryCommand)
  .addCommand(marketplaceCommand);

await runProgram(program);
