import { readFileSync } from 'node:fs';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { EncryptionKey } from '../platform/security/encryption.ts';
import type { SecretCount } from '../features/accounts/re-encrypt-secrets.ts';
import { withAdministration } from './administer-accounts.ts';
import { addOperatorOption } from './operator.ts';
import { addSystemOptions, type SystemOptions } from './running-system.ts';

interface ReEncryptOptions extends SystemOptions {
  readonly encryptionKeys?: string;
  readonly encryptionKeysFile?: string;
  readonly dryRun: boolean;
}

/** `itembridge re-encrypt-secrets [--dry-run]`. May be stopped and repeated. Exit code 1 when a ciphertext could not be read. */
export const reEncryptSecretsCommand = addOperatorOption(addSystemOptions(new Command('re-encrypt-secrets')))
  .description('encrypt everything that is stored encrypted with the newest key, so that older keys can be removed')
  .addOption(
    new Option('--encryption-keys <keys>', 'newest first, as the service has them: id:base64,…').env('ENCRYPTION_KEYS'),
  )
  .addOption(new Option('--encryption-keys-file <file>', 'file that holds them').env('ENCRYPTION_KEYS_FILE'))
  .option('--dry-run', 'only count, by the key that each was made with', false)
  .action(reEncryptSecrets);

async function reEncryptSecrets(options: ReEncryptOptions): Promise<void> {
  const keys = readKeys(options);
  await withAdministration(options, async (administration) => {
    const counts = await administration.reEncryptSecrets(keys, { dryRun: options.dryRun });
    for (const count of counts) console.log(describe(count));
    console.log(verdict(counts, keys));
    if (counts.some(({ unreadable }) => unreadable > 0)) process.exitCode = 1;
  });
}

/** No message contains a key's secret. */
function readKeys({ encryptionKeys = '', encryptionKeysFile = '' }: ReEncryptOptions): EncryptionKey[] {
  const text = encryptionKeysFile === '' ? encryptionKeys : readFileSync(encryptionKeysFile, 'utf8').trim();
  const keys = text
    .split(',')
    .filter((part) => part !== '')
    .map((part) => ({ id: part.split(':')[0] ?? '', secret: part.slice(part.indexOf(':') + 1) }));
  if (keys.length > 0) return keys;
  throw new InvalidArgumentError('No keys: set ENCRYPTION_KEYS or ENCRYPTION_KEYS_FILE as the service has it.');
}

function describe({ collection, byKeyId, reEncrypted, overtaken, unreadable }: SecretCount): string {
  const found = Object.entries(byKeyId).map(([id, count]) => `${count} of key ${id}`);
  const done = [
    ...(reEncrypted > 0 ? [`${reEncrypted} re-encrypted`] : []),
    ...(overtaken > 0 ? [`${overtaken} changed meanwhile`] : []),
    ...(unreadable > 0 ? [`${unreadable} UNREADABLE`] : []),
  ];
  return `${collection}: ${found.length === 0 ? 'none' : found.join(', ')}${done.length === 0 ? '' : ` (${done.join(', ')})`}`;
}

/** Names the keys that are still needed after this run. */
function verdict(counts: readonly SecretCount[], [newest]: readonly EncryptionKey[]): string {
  const older = counts.flatMap(({ byKeyId }) => Object.keys(byKeyId).filter((id) => id !== newest?.id));
  const open = counts.reduce((sum, { byKeyId, reEncrypted }) => sum + othersThan(newest?.id, byKeyId) - reEncrypted, 0);
  if (open === 0) return `All is encrypted with key ${newest?.id ?? ''}.`;
  return `${open} still depend on other keys than ${newest?.id ?? ''}: ${[...new Set(older)].join(', ')}.`;
}

const othersThan = (newestId: string | undefined, byKeyId: SecretCount['byKeyId']): number =>
  Object.entries(byKeyId)
    .filter(([id]) => id !== newestId)
    .reduce((sum, [, count]) => sum + count, 0);
