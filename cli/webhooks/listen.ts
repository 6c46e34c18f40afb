import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { ItembridgeClient } from '../../client/create-itembridge-client.ts';
import type { Event } from '../../client/generated/types.gen.ts';
import { Interrupted, untilInterrupted, UsageError } from '../exit-codes.ts';
import { readReadyFile } from '../running-system.ts';
import {
  addAddressOptions,
  addKeyOptions,
  addSignInOptions,
  fromFile,
  openService,
  refuseArgument,
  secretOption,
  withSession,
  type SessionOptions,
} from '../service-options.ts';
import { receiveWebhooks, type ReceiverOptions, type WebhookEvent } from './receive-webhooks.ts';

interface ListenOptions extends SessionOptions {
  readonly port: number;
  readonly secret?: string;
  readonly secretFile?: string;
  readonly forward?: string;
  /** true: the option was given without an address, for the system of `npm start`. */
  readonly register?: string | true;
  readonly events: string;
  readonly scope: 'self' | 'members';
  readonly fromLog: boolean;
  readonly after?: string;
  readonly all: boolean;
  readonly limit: number;
}

/** `itembridge webhooks listen`. */
export const webhooksCommand = new Command('webhooks').description('try out webhooks').addCommand(
  addSignInOptions(addKeyOptions(addAddressOptions(new Command('listen'))))
    .description('receive deliveries here, verify and print them')
    .option('--port <port>', 'where to listen; 0 for any', wholeNumber, 8787)
    .addOption(secretOption('--secret', 'ITEMBRIDGE_WEBHOOK_SECRET'))
    .option('--secret-file <file>', "file that holds the endpoint's secret (or set ITEMBRIDGE_WEBHOOK_SECRET)")
    .option(
      '--register [public-url]',
      'make an endpoint for as long as this runs; in the system of "npm start" without URL',
    )
    .option(
      '--events <types>',
      'event types of that endpoint, separated by commas; by default the six of the specification',
      '',
    )
    .addOption(new Option('--scope <scope>', 'of that endpoint').choices(['self', 'members']).default('self'))
    .option('--forward <url>', 'send each verified delivery on to this address')
    .option('--from-log', 'follow the feed of events instead: for those who cannot be reached from outside', false)
    .option('--after <cursor>', 'where the feed is to go on')
    .option('--all', 'the feed from its beginning (30 days ago); by default what happens from now on', false)
    .option('--limit <n>', 'end after so many; 0 for never', wholeNumber, 0)
    .action(listen),
);

/** Ctrl-C is the normal end and no failure. */
async function listen(options: ListenOptions, command: Command): Promise<void> {
  refuseArgument(command, 'secret', 'ITEMBRIDGE_WEBHOOK_SECRET or --secret-file');
  try {
    await untilInterrupted((signal) => start(options, command, signal));
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
  }
}

function start(options: ListenOptions, command: Command, signal: AbortSignal): Promise<void> {
  if (options.fromLog) return followFeed(options, command, signal);
  if (options.register !== undefined) return registerAndReceive(options, command, signal);
  const secret = options.secret ?? fromFile(options.secretFile);
  if (secret === undefined || secret === '')
    throw new UsageError(
      'No secret: set ITEMBRIDGE_WEBHOOK_SECRET or --secret-file, or have an endpoint made with --register.',
    );
  return receive(options, { secret: () => secret, signal });
}

async function followFeed(options: ListenOptions, command: Command, signal: AbortSignal): Promise<void> {
  const { client } = openService(options, command);
  if (options.after === undefined && !options.all) console.error('Looking for the end of the feed …');
  let after = options.after ?? (options.all ? undefined : await endOfFeed(client, signal));
  console.error('Following the feed of events. Ctrl-C ends it.');
  let left = options.limit === 0 ? Infinity : options.limit;
  // Never more than still wanted, because a page's cursor is behind all of its events.
  const pageSize = (): number => Math.min(left, 500);
  try {
    for await (const { events, nextCursor } of client.eventPages(after, { pollMs: 1_000, pageSize, signal })) {
      for (const event of events) await takeFromFeed(event, options);
      after = nextCursor;
      if ((left -= events.length) <= 0) return;
    }
  } finally {
    if (after !== undefined) console.error(`Go on with --after ${after}`);
  }
}

async function takeFromFeed(event: Event, { forward, json }: ListenOptions): Promise<void> {
  await postOn(forward, event);
  print(event, json);
}

/** Reads the whole feed, 500 events at a time, because there is no other way to its end. */
async function endOfFeed(client: ItembridgeClient, signal: AbortSignal): Promise<string | undefined> {
  let cursor: string | undefined;
  for await (const { nextCursor } of client.eventPages(undefined, { signal })) cursor = nextCursor;
  return cursor;
}

/** The feed is not signed, so forwarded events are not signed either. */
async function postOn(url: string | undefined, event: Event): Promise<void> {
  if (url === undefined) return;
  const headers = { 'content-type': 'application/json', 'webhook-id': event.eventId };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(event), redirect: 'manual' });
  await response.body?.cancel();
  if (!response.ok) console.error(`${url} answered ${response.status} to ${event.eventId}`);
}

async function registerAndReceive(options: ListenOptions, command: Command, signal: AbortSignal): Promise<void> {
  const local = options.register === true ? localTls(options) : undefined;
  await withSession(options, command, async ({ api }) => {
    let secret: string | undefined;
    await receive(options, {
      signal,
      secret: () => secret,
      ...local,
      onListening: async (port) => {
        const url = options.register === true ? `https://127.0.0.1:${port}/` : String(options.register);
        const eventTypes = options.events.split(',').filter((type) => type !== '');
        // The service checks the type names.
        const body = { url, eventTypes, scope: options.scope, description: 'itembridge webhooks listen' };
        const { data } = await api.createWebhook({ body: body as Parameters<typeof api.createWebhook>[0]['body'] }); // eslint-disable-line @typescript-eslint/consistent-type-assertions -- checked by the service
        secret = data.secret;
        console.error(registration({ url, id: data.id, secret }, options.json));
        return async () => {
          await api.deleteWebhook({ path: { id: data.id } });
          console.error(`Removed ${data.id}.`);
        };
      },
    });
  });
}

/**
 * Shows the secret, because the program behind --forward verifies with it. The secret is worthless once the endpoint is
 * removed.
 */
function registration(endpoint: { url: string; id: string; secret: string }, json: boolean): string {
  if (json) return JSON.stringify({ registered: endpoint });
  const { url, id, secret } = endpoint;
  return `Registered ${url} as ${id}, until this ends.\nSecret: ${secret}`;
}

/** The system of `npm start` trusts the certificate beside its ready file. */
function localTls({ home }: ListenOptions): Pick<ReceiverOptions, 'tls' | 'host'> {
  const folder = readReadyFile(home)?.tlsFolder;
  if (folder === undefined)
    throw new UsageError('--register needs the public https address that leads here: only "npm start" does without.');
  const [key, cert] = ['server.key', 'server.pem'].map((name) => readFileSync(join(folder, name), 'utf8'));
  return { tls: { key: key ?? '', cert: cert ?? '' }, host: '127.0.0.1' };
}

interface Reception extends Pick<ReceiverOptions, 'secret' | 'tls' | 'host'> {
  readonly signal: AbortSignal;
  /** Resolves with a clean-up function, which runs at the end. */
  readonly onListening?: (port: number) => Promise<() => Promise<void>>;
}

async function receive(options: ListenOptions, { signal, onListening, ...reception }: Reception): Promise<void> {
  const end = new AbortController();
  const count = counter(options.limit);
  const receiver = await receiveWebhooks({
    ...reception,
    port: options.port,
    forwardTo: options.forward,
    deliveriesMax: options.limit === 0 ? Infinity : options.limit,
    onEvent: (event) => {
      print(event, options.json);
      if (count() === 'enough') end.abort();
    },
    onRefused: (reason) => console.error(`refused: ${reason}`),
  });
  try {
    console.error(`Listening on port ${receiver.port}. Ctrl-C ends it.`);
    const tidyUp = await onListening?.(receiver.port);
    try {
      await aborted(AbortSignal.any([signal, end.signal]));
    } finally {
      await tidyUp?.();
    }
  } finally {
    await receiver.close();
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

function counter(limit: number): () => 'enough' | 'more' {
  let count = 0;
  return () => ((count += 1) === limit ? 'enough' : 'more');
}

function print(event: WebhookEvent, json: boolean): void {
  if (json) {
    console.log(JSON.stringify(event));
    return;
  }
  const { eventId, eventType, timestamp, data } = event;
  const member = 'account' in data ? data.account.memberExternalId : undefined;
  const of = member === undefined ? '' : ` of ${member}`;
  console.log(`${timestamp}  ${eventType.padEnd(18)}  ${data.externalId}${of}  ${eventId}`);
}

function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('must be a whole number');
  return Number(text);
}
