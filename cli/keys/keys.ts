import { Command } from 'commander';
import { addSessionOptions, withSession, type SessionOptions } from '../service-options.ts';

const sub = (name: string, description: string): Command =>
  addSessionOptions(new Command(name)).description(description);

/** `itembridge keys list|create|revoke`: signs in first, because an API key may not create another. */
export const keysCommand = new Command('keys')
  .description('API keys of an account')
  .addCommand(sub('list', 'the keys that work').action(list))
  .addCommand(
    sub('create', 'make a key; it is shown this once')
      .option('--name <name>', 'what it is for', 'itembridge')
      .action(create),
  )
  .addCommand(
    sub('revoke', 'a key that stops working at once').argument('<id>', 'as "keys list" shows it').action(revoke),
  );

async function list(options: SessionOptions, command: Command): Promise<void> {
  const { keys } = await withSession(options, command, async ({ api }) => (await api.listApiKeys()).data);
  if (options.json) console.log(JSON.stringify(keys));
  else if (keys.length === 0) console.log('No keys.');
  for (const { id, prefix, name, createdAt, lastUsedAt } of options.json ? [] : keys)
    console.log(`${id}  ${prefix}…  made ${createdAt}  last used ${lastUsedAt ?? 'never'}  ${name}`);
}

/** Only the key goes to standard output, so that it can be stored without being shown. */
async function create(options: SessionOptions & { readonly name: string }, command: Command): Promise<void> {
  const body = { name: options.name };
  await withSession(options, command, async ({ api }) => {
    const { data: made } = await api.generateApiKey({ body });
    // Printed before the session ends, so a later error can't lose the key.
    if (!options.json) console.error(`Key "${made.name}": keep it now, it can't be shown again.`);
    console.log(options.json ? JSON.stringify(made) : made.apiKey);
  });
}

async function revoke(id: string, options: SessionOptions, command: Command): Promise<void> {
  await withSession(options, command, ({ api }) => api.revokeApiKey({ path: { id } }));
  console.log(options.json ? JSON.stringify({ id, revoked: true }) : `${id} revoked`);
}
