import { Command, InvalidArgumentError } from 'commander';
import type { ItemListEntry } from '../../client/generated/types.gen.ts';
import { addServiceOptions, openService, type ServiceOptions } from '../service-options.ts';

interface ListOptions extends ServiceOptions {
  readonly serviceStatus?: string;
  readonly marketplaceStatus?: string;
  readonly domain?: string;
  readonly problem?: string;
  readonly updatedSince?: string;
  readonly search?: string;
  readonly limit: number;
}

type ItemsQuery = NonNullable<Parameters<ReturnType<typeof openService>['client']['items']>[0]>;

const sub = (name: string, description: string): Command =>
  addServiceOptions(new Command(name)).description(description);

const oneItem = (name: string, description: string): Command =>
  sub(name, description).argument('<externalId>', 'your id of the item');

/** `itembridge items get|list|publish|remove|timeline`: for one item, or a list of all. */
export const itemsCommand = new Command('items')
  .description('look at items, publish and remove them')
  .addCommand(
    oneItem('get', 'show an item, with all its fields and what its processing waits for')
      .option('--status', 'only its status', false)
      .action(get),
  )
  .addCommand(
    sub('list', 'list items, newest first; with --updated-since by their last change, oldest first')
      .option('--service-status <status>', 'draft, active, sold, not_listed or archived')
      .option('--marketplace-status <status>', 'active, sold, ended, pending_sync or sync_error')
      .option('--domain <slug>')
      .option('--problem <name>', 'any, or one such as images or given_up: only items that need attention')
      .option('--updated-since <time>', 'ISO 8601: only what changed then or later')
      .option('--search <words>', 'in title and description')
      .option('--limit <n>', 'how many at most; 0 for all', wholeNumber, 50)
      .action(list),
  )
  .addCommand(oneItem('publish', 'publish, publish again, or try a failed publication again').action(publish))
  .addCommand(oneItem('remove', 'delete an item; its listing is taken down first').action(remove))
  .addCommand(oneItem('timeline', 'what happened to an item, newest first').action(timeline));

async function get(
  externalId: string,
  options: ServiceOptions & { readonly status: boolean },
  command: Command,
): Promise<void> {
  const { client } = openService(options, command);
  const query = options.status ? {} : { view: 'full' as const };
  const { data } = await client.api.getItem({ path: { external_id: externalId }, query });
  console.log(JSON.stringify(data, null, options.json ? 0 : 2));
}

async function list(options: ListOptions, command: Command): Promise<void> {
  const { client } = openService(options, command);
  let count = 0;
  for await (const item of client.items(queryOf(options))) {
    console.log(options.json ? JSON.stringify(item) : describe(item));
    count += 1;
    if (count === options.limit) break;
  }
  if (!options.json && count === 0) console.log('No items.');
}

/** The service refuses a value that is not allowed, with the name of the parameter. */
function queryOf(options: ListOptions): ItemsQuery {
  const { serviceStatus, marketplaceStatus, domain, problem, updatedSince, search, limit } = options;
  const wanted = { serviceStatus, marketplaceStatus, domain, problem, updatedSince, q: search };
  const given = Object.entries(wanted).filter(([, value]) => value !== undefined);
  const page = limit > 0 && limit < 50 ? { limit } : {};
  return { ...Object.fromEntries(given), ...page };
}

const describe = ({ externalId, serviceStatus, marketplaceStatus, price, title, updatedAt }: ItemListEntry): string =>
  [
    externalId.padEnd(20),
    serviceStatus.padEnd(10),
    marketplaceStatus.padEnd(12),
    `${price} SEK`.padStart(12),
    updatedAt,
    title,
  ].join('  ');

async function publish(externalId: string, options: ServiceOptions, command: Command): Promise<void> {
  const { client } = openService(options, command);
  const { data } = await client.api.publishItem({ path: { external_id: externalId } });
  console.log(options.json ? JSON.stringify(data) : `${externalId}: ${messageOf(data)}`);
}

async function remove(externalId: string, options: ServiceOptions, command: Command): Promise<void> {
  const { client } = openService(options, command);
  const { data } = await client.api.deleteItem({ path: { external_id: externalId } });
  console.log(options.json ? JSON.stringify(data) : `${externalId}: ${messageOf(data)}`);
}

const messageOf = (answer: object): string =>
  'message' in answer && typeof answer.message === 'string' ? answer.message : 'done';

async function timeline(externalId: string, options: ServiceOptions, command: Command): Promise<void> {
  const { client } = openService(options, command);
  for await (const entry of client.timeline(externalId)) {
    const { at, kind, message, actor } = entry;
    console.log(options.json ? JSON.stringify(entry) : `${at}  ${kind.padEnd(18)}  ${message} (${actor})`);
  }
}

function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('must be a whole number');
  return Number(text);
}
