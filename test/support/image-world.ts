import { createHash, randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { accountId, itemId, type AccountId, type ItemId } from '../../features/rules/ids.ts';
import { firstImageSet } from '../../features/images/rules/image-set.ts';
import type { ImagePlace } from '../../features/images/rules/image-place.ts';
import type { Item, ItemKey } from '../../features/items/rules/item.ts';
import { imageQuotaFailure, type ImageUse, type StorageQuota } from '../../features/accounts/rules/storage-quota.ts';
import type { ImageProcesses } from '../../gateways/image-process/port.ts';
import { createDiskImageStore } from '../../gateways/image-store/disk-image-store.ts';
import { isImageKey, type ImageStore } from '../../gateways/image-store/port.ts';
import { createImageClaimStore } from '../../features/images/store/image-claims.ts';
import { createImageRecordStore } from '../../features/images/store/image-records.ts';
import { readImageUse } from '../../features/images/store/image-usage.ts';
import { createItemStore } from '../../features/items/store/items.ts';
import { rewriteItem } from '../../features/items/write-item.ts';
import { collectImages } from '../../features/images/collect-images.ts';
import { createImageSteps, processImages, type ImageDependencies } from '../../features/images/process-images.ts';
import { anItem, noon } from './an-item.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { closeTestStore, openTestStore } from './open-test-store.ts';
import { present } from './clock.ts';

export const hour = 3_600_000;
export const day = 24 * hour;

/** A picture's address names its bytes: `https://erp.example/<bytes>.<anything>`. */
export const urlOf = (bytes: string, copy = 0): string => `https://erp.example/${bytes}.${copy}`;
export const hashOf = (bytes: string): string => createHash('sha256').update(bytes).digest('hex');

/** What an uploader and a collector are given; tests put their own in between. */
export type ImagePorts = Pick<
  ImageDependencies,
  'items' | 'imageRecords' | 'imageClaims' | 'imageStore' | 'whyNoRoom' | 'pause'
>;

/** A database and an image store of the test's own, with a clock that the test moves. */
export interface ImageWorld {
  readonly ports: ImagePorts;
  /** To start another process on it. */
  readonly database: string;
  readonly now: () => Date;
  pass(ms: number): void;
  /** An item of `account` that wants these images. */
  item(options?: { account?: AccountId; bytes?: readonly string[]; urls?: readonly string[] }): Promise<ItemId>;
  readonly find: (id: ItemId) => Promise<Item>;
  change(id: ItemId, change: Partial<Item>): Promise<void>;
  /** As after a DELETE that is settled: nothing of it is on the marketplace. */
  remove(id: ItemId): Promise<void>;
  /** One activity, as the item's workflow runs it. */
  upload(id: ItemId, ports?: Partial<ImagePorts>): Promise<void>;
  /** Activities until nothing is pending. */
  uploadAll(id: ItemId, ports?: Partial<ImagePorts>): Promise<void>;
  /** One round of a collector. */
  collect(ports?: Partial<ImagePorts>): Promise<boolean>;
  /** Rounds until nothing is left to look at. */
  collectAll(): Promise<void>;
  /** Every image, as `<account>/<hash>/<size>.jpg`. */
  files(): Promise<string[]>;
  records(): Promise<Record<string, unknown>[]>;
  /** How many claims are open. */
  claims(): Promise<number>;
  imageUse(account: AccountId): Promise<ImageUse>;
  close(): Promise<void>;
}

export const anAccount = (): AccountId => accountId(randomUUID());

const noQuota = { itemsMax: Infinity, imagesMax: Infinity, imageBytesMax: Infinity };

/** An empty image store, and the folder in which its images lie as files. */
export interface StoreOfWorld {
  readonly imageStore: ImageStore;
  readonly folder: string;
}

const diskStore = (): StoreOfWorld => {
  const folder = temporaryFolder('images');
  return { imageStore: createDiskImageStore(folder), folder };
};

export async function startImageWorld(
  quota: StorageQuota = noQuota,
  { imageStore, folder }: StoreOfWorld = diskStore(),
): Promise<ImageWorld> {
  const store = await openTestStore();
  const imageSteps = createImageSteps();
  let at = noon.getTime();
  const now = (): Date => new Date(at);
  const items = createItemStore(store);
  const ports: ImagePorts = {
    items,
    imageRecords: createImageRecordStore(store),
    imageClaims: createImageClaimStore(store),
    // Files carry the machine's time, which is not the test's.
    imageStore: { ...imageStore, removeLeftovers: async () => 0 },
    whyNoRoom: async (account) => imageQuotaFailure(await readImageUse(store, account), quota),
    pause: async (ms) => {
      at += ms;
    },
  };
  const accountOf = new Map<ItemId, AccountId>();
  const keyOf = (id: ItemId): ItemKey => ({ accountId: accountOf.get(id) ?? anAccount(), id });
  const find = async (id: ItemId): Promise<Item> => {
    const item = await items.findById(keyOf(id));
    if (item === null) throw new Error(`no item ${id}`);
    return item;
  };
  const upload = (id: ItemId, change: Partial<ImagePorts> = {}): Promise<void> =>
    processImages({ ...ports, ...withPlaces({ ...ports, ...change }), imageSteps, now }, keyOf(id)).then(
      () => undefined,
    );
  const collect = (change: Partial<ImagePorts> = {}): Promise<boolean> => collectImages({ ...ports, ...change, now });
  const change = async (id: ItemId, fields: Partial<Item>): Promise<void> => {
    await rewriteItem(items, keyOf(id), (item) => ({ ...item, ...fields }));
  };
  return {
    ports,
    database: store.connection.name,
    now,
    pass: (ms) => {
      at += ms;
    },
    item: async ({ account = anAccount(), bytes = ['one'], urls = bytes.map((text) => urlOf(text)) } = {}) => {
      const id = itemId(randomUUID());
      accountOf.set(id, account);
      await items.insert(anItem({ id, accountId: account, externalId: id, imageSet: firstImageSet(urls) }));
      return id;
    },
    find,
    change,
    // Far ahead, or the database would purge it in the middle of a test.
    remove: (id) => change(id, { current: false, removedAt: now(), purgeAt: present(90 * day) }),
    upload,
    uploadAll: async (id, change) => {
      while ((await find(id)).imageSet.images.some(({ state }) => state === 'pending')) await upload(id, change);
    },
    collect,
    collectAll: async () => {
      while (await collect());
    },
    files: async () => {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      return entries
        .filter((entry) => entry.isFile())
        .map((entry) => `${entry.parentPath.slice(folder.length + 1)}/${entry.name}`)
        .filter(isImageKey)
        .toSorted();
    },
    imageUse: (account) => readImageUse(store, account),
    records: () => store.connection.collection('image_records').find().toArray(),
    claims: () => store.connection.collection('image_claims').countDocuments(),
    close: async () => {
      await closeTestStore(store);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Image processes are not under test here: what is made of an image tells whose it is, and is put where its address says by the
 * store itself, so that a test sees each call.
 */
function withPlaces(ports: ImagePorts): Pick<ImageDependencies, keyof ImagePorts | 'imageProcesses'> {
  const place = async (key: string): Promise<ImagePlace> => ({ kind: 'file', path: key, temporary: '' });
  const put = async (place: ImagePlace, bytes: string): Promise<number> => {
    if (place.kind === 'file') await ports.imageStore.put(place.path, Buffer.from(bytes));
    return bytes.length;
  };
  const host: ImageProcesses['host'] = async (url, { placesOf }) => {
    const bytes = new URL(url).pathname.slice(1).split('.')[0] ?? '';
    const contentHash = hashOf(bytes);
    const places = await placesOf(contentHash);
    if (places === null) return { contentHash, bytes: null };
    const stored = [put(places.large, `large of ${bytes}`), put(places.thumb, `thumb of ${bytes}`)];
    return { contentHash, bytes: (await Promise.all(stored)).reduce((sum, length) => sum + length, 0) };
  };
  return { ...ports, imageStore: withPlace(ports.imageStore, place), imageProcesses: { host } };
}

const withPlace = (store: ImageStore, place: ImageStore['place']): ImageStore =>
  new Proxy(store, {
    get: (target, name, receiver): unknown => (name === 'place' ? place : Reflect.get(target, name, receiver)),
  });

/** The hosted images of an item whose files are not both there: always empty, whatever crashed. */
export async function missingImages({ ports, find }: ImageWorld, id: ItemId): Promise<string[]> {
  const item = await find(id);
  const hosted = item.imageSet.images.flatMap(({ contentHash }) => (contentHash === null ? [] : [contentHash]));
  const keys = hosted.flatMap((hash) => ['large', 'thumb'].map((size) => `${item.accountId}/${hash}/${size}.jpg`));
  const isThere = await Promise.all(keys.map((key) => ports.imageStore.has(key)));
  return keys.filter((_key, n) => isThere[n] === false);
}

/** A point at which a port's call stands until the test lets it go on. */
export interface Gate {
  readonly reached: Promise<void>;
  open(): void;
}

/** Stops the first call of `method`, before it does anything. */
export function gateBefore<Port extends object>(port: Port, method: keyof Port & string): { port: Port; gate: Gate } {
  const [reached, opened] = [deferred(), deferred()];
  const gated = intercept(port, async (name) => {
    if (name !== method) return;
    reached.resolve();
    await opened.promise;
  });
  return { port: gated, gate: { reached: reached.promise, open: opened.resolve } };
}

export class Crash extends Error {
  override readonly name = 'Crash';
}

/** A port of a process that dies at its `n`th call of `method` (from 0): that call and every later one of any method fail. */
export function crashAt<Port extends object>(port: Port, method: keyof Port & string, n = 0): Port {
  let calls = 0;
  let isDead = false;
  return intercept(port, async (name) => {
    if (name === method) {
      isDead ||= calls === n;
      calls += 1;
    }
    if (isDead) throw new Crash(`died at ${method}`);
  });
}

/** Runs `before` ahead of every call. */
export function intercept<Port extends object>(
  port: Port,
  before: (method: string, ...parameters: unknown[]) => Promise<void>,
): Port {
  return new Proxy(port, {
    get(target, name, receiver): unknown {
      const value: unknown = Reflect.get(target, name, receiver);
      if (typeof value !== 'function' || typeof name !== 'string') return value;
      if (name === 'list')
        return async function* (...parameters: unknown[]) {
          await before(name, ...parameters);
          yield* Reflect.apply(value, target, parameters) as AsyncIterable<unknown>;
        };
      return async (...parameters: unknown[]): Promise<unknown> => {
        await before(name, ...parameters);
        return Reflect.apply(value, target, parameters) as unknown;
      };
    },
  });
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
