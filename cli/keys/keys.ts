import { Command, InvalidArgumentError, Option } from 'commander';
import type { ApiKey, KeyMode, KeyScope, NewApiKey } from '../../client/generated/types.gen.ts';
import { durationMs } from '../duration.ts';
import { addSessionOptions, withSession, type SessionOptions } from '../service-options.ts';

interface CreateOptions extends SessionOptions {
  readonly name: string;
  readonly mode?: KeyMode;
  readonly scope?: readonly KeyScope[];
  readonly expires?: string;
  readonly address?: readonly string[];
}

const scopes = [
  'items:read',
  'items:write',
  'orders:read',
  'orders:write',
  'webhooks:read',
  'webhooks:write',
] as const satisfies readonly KeyScope[];

const sub = (name: string, description: string): Command =>
  addSessionOptions(new Command(name)).description(description);

/** `itembridge keys list|create|revoke`: signs in first, because an API key may not create another. */
export const keysCommand = new Command('keys')
  .description('API keys of an account')
  .addCommand(sub('list', 'the keys that work').action(list))
  .addCommand(
    sub('create', 'make a key; it is shown this once')
      .option('--name <name>', 'what it is for', 'itembridge')
      .addOption(
        new Option('--mode <mode>', 'test: a key of the sandbox; left out: as the service has it').choices([
          'live',
          'test',
        ]),
      )
      .addOption(
        new Option('--scope <scopes...>', 'what it may do; left out: everything that a key may do').choices(scopes),
      )
      .option('--expires <time>', 'from when on it is refused: 90d, 12h, or a time such as 2027-01-31', endOf)
      .option('--address <addresses...>', 'from where it is taken: 192.0.2.7, or a network such as 192.0.2.0/24')
      .action(create),
  )
  .addCommand(
    sub('revoke', 'a key that stops working at once').argument('<id>', 'as "keys list" shows it').action(revoke),
  );

/** A duration from now, or a time. A date means its beginning in UTC. */
function endOf(text: string): string {
  const at = /^\d+[smhd]$/.test(text) ? new Date(Date.now() + durationMs(text)) : new Date(text);
  if (!Number.isNaN(at.getTime())) return at.toISOString();
  throw new InvalidArgumentError('It is 90d, 12h, or a time such as 2027-01-31 or 2027-01-31T12:00:00+01:00.');
}

async function list(options: SessionOptions, command: Command): Promise<void> {
  const { keys } = await withSession(options, command, async ({ api }) => (await api.listApiKeys()).data);
  if (options.json) console.log(JSON.stringify(keys));
  else if (keys.length === 0) console.log('No keys.');
  for (const key of options.json ? [] : keys) console.log(describe(key));
}

const describe = ({ id, prefix, createdAt, lastUsedAt, name, ...key }: ApiKey): string =>
  [`${id}  ${prefix}…  made ${createdAt}`, `last used ${lastUsedAt ?? 'never'}`, ...boundsOf(key), name].join('  ');

const boundsOf = ({ state, scopes: granted, expiresAt, addresses }: Pick<ApiKey, Bound>): readonly string[] => [
  ...(granted === null ? [] : [`may ${granted.join(', ')}`]),
  ...(expiresAt === null ? [] : [`${state === 'expired' ? 'ended' : 'ends'} ${expiresAt}`]),
  ...(addresses === null ? [] : [`from ${addresses.join(', ')}`]),
];

type Bound = 'state' | 'scopes' | 'expiresAt' | 'addresses';

/** Only the key goes to standard output, so that it can be stored without being shown. */
async function create(options: CreateOptions, command: Command): Promise<void> {
  await withSession(options, command, async ({ api }) => {
    const { data: made } = await api.generateApiKey({ body: wishOf(options) });
    // Printed before the session ends, so a later error can't lose the key.
    if (!options.json) console.error(`Key "${made.name}": keep it now, it can't be shown again.`);
    console.log(options.json ? JSON.stringify(made) : made.apiKey);
  });
}

const wishOf = ({ name, mode, scope, expires, address }: CreateOptions): NewApiKey => ({
  name,
  ...(mode !== undefined && { mode }),
  ...(scope !== undefined && { scopes: [...scope] }),
  ...(expires !== undefined && { expiresAt: expires }),
  ...(address !== undefined && { addresses: [...address] }),
});

async function revoke(id: string, options: SessionOptions, command: Command): Promise<void> {
  await withSession(options, command, ({ api }) => api.revokeApiKey({ path: { id } }));
  console.log(options.json ? JSON.stringify({ id, revoked: true }) : `${id} revoked`);
}
