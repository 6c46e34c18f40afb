import { userInfo } from 'node:os';
import type { Command } from 'commander';
import { UsageError } from './exit-codes.ts';

/**
 * For a command that changes something, or hands data out: the entries in the accounts' logs have the operator's name, and a
 * line says so on standard error, where the output of a command is not. In production the name must be said, because everybody
 * is the same user of a container.
 */
export const addOperatorOption = (command: Command): Command =>
  command
    .option(
      '--as <name>',
      'who you are, for the logs; must be said in production (outside it: the user of this machine)',
    )
    .hook('preAction', (_command, acting) => nameOperator(acting));

async function nameOperator(acting: Command): Promise<void> {
  const { as: said } = acting.opts<{ as?: string }>();
  const { isProduction } = await import('../compose/config.ts');
  if (said === undefined && isProduction()) throw new UsageError('Say who you are: --as NAME.');
  const operator = said?.trim() ?? userOfMachine();
  if (!/^[\p{L}\p{N}][\p{L}\p{N} ._@-]{0,59}$/u.test(operator))
    throw new UsageError('--as is a name: up to 60 letters, digits, spaces and . _ @ -');
  acting.setOptionValue('as', operator);
  const { createLogger } = await import('../platform/logger.ts');
  createLogger('command', 'info', process.stderr.fd).info({ operator, command: pathOf(acting) }, 'command.given');
}

/** A user id without a name has none. */
function userOfMachine(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}

/** Without its arguments, which may be addresses: `ops buyer erase`. */
const pathOf = (command: Command): string =>
  command.parent === null ? '' : `${pathOf(command.parent)} ${command.name()}`.trim();
