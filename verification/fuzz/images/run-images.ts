import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { imageFailureInEnglish } from '../../../features/images/rules/image-failure.ts';
import { anItemBody } from '../../../test/support/audit-steps.ts';
import { until } from '../../../test/support/until.ts';
import type { FuzzSystem } from '../support/fuzz-system.ts';
import type { Tally } from '../support/tally.ts';
import { hostileAnswers } from './hostile-answers.ts';
import { hostileImages, smuggled, soundImages, type HostileImage } from './hostile-images.ts';
import { file, startImageHost, type ImageHost } from './image-host.ts';
import { mutatedImages } from './mutated-images.ts';

export interface ImagesRun {
  readonly seed: number;
  /** How many sound pictures are damaged at random. */
  readonly mutated: number;
  /** Only the image with this number, as a finding names it. */
  readonly only?: number | undefined;
  readonly tally: Tally;
}

type NumberedImage = HostileImage & { readonly number: number };

interface Work {
  readonly system: FuzzSystem;
  readonly host: ImageHost;
  readonly run: ImagesRun;
  /** When the last of all items had its outcomes. */
  readonly moved: { at: number };
}

/** An item's own limit is 10. */
const imagesEach = 5;
/** So long nothing may move: on a machine that has other work all of them together take longer than any one of them may. */
const stillnessMaxMs = 120_000;
const outcomeWithinMs = 40 * 60_000;

/** Has a worker fetch hostile images from a hostile host: each ends as a clean picture or with a reason, and nothing else is kept. */
export async function runImages(system: FuzzSystem, run: ImagesRun): Promise<void> {
  const host = await startImageHost(system.servers.certificates);
  try {
    const all = [
      ...(await hostileImages()),
      ...(await hostileAnswers()),
      ...(await mutatedImages(run.seed, run.mutated)),
    ];
    const numbered = all.map((image, number) => ({ ...image, number }));
    const chosen = run.only === undefined ? numbered : numbered.filter(({ number }) => number === run.only);
    for (const { number, answer } of chosen) host.serve(pathOf(number), answer);
    const work = { system, host, run, moved: { at: Date.now() } };
    // Those of one host that drips would keep the others of their item waiting: items of several images are of files only.
    const items = [
      ...chosen.filter(isSlow).map((image) => [image]),
      ...inGroups(chosen.filter((image) => !isSlow(image))),
    ];
    const outcomes = await Promise.all(items.map((images, item) => hostAll(images, item, work)));
    for (const { image, outcome } of outcomes.flat()) await judgeImage(image, outcome, work);
    await judgeStore(outcomes.flat().filter(({ outcome }) => outcome.state === 'hosted').length, work);
    await hostRightly(work);
  } finally {
    await host.close();
  }
}

const pathOf = (number: number): string => `/${number}.jpg`;
const isSlow = ({ kind }: HostileImage): boolean => kind === 'hostile image hosts';

function inGroups(images: readonly NumberedImage[]): NumberedImage[][] {
  return Array.from({ length: Math.ceil(images.length / imagesEach) }, (_, group) =>
    images.slice(group * imagesEach, (group + 1) * imagesEach),
  );
}

interface Outcome {
  readonly sourceUrl: string;
  readonly state: string;
  readonly url: string | null;
  readonly thumbnailUrl: string | null;
  readonly reason: string | null;
}

/** One item with these images, until each has its outcome. */
async function hostAll(
  images: readonly NumberedImage[],
  item: number,
  { system, host, run, moved }: Work,
): Promise<{ image: NumberedImage; outcome: Outcome }[]> {
  const { world, account } = system;
  const path = `/integration/v1/items/images-${item}`;
  const imageUrls = images.map(({ number }) => `${host.url}${pathOf(number)}`);
  const put = await world.call('PUT', path, { apiKey: account.apiKey, body: { ...anItemBody, imageUrls } });
  if (put.status !== 202) throw new Error(`PUT answered ${put.status}: ${put.text}`);
  const read = async (): Promise<readonly Outcome[]> =>
    (await world.call('GET', `${path}?view=full`, { apiKey: account.apiKey })).body.images;
  const isDone = async () => {
    const found = await read();
    const hasAll = found.every(({ state }) => state !== 'pending');
    if (hasAll) moved.at = Date.now();
    return (hasAll || Date.now() - moved.at > stillnessMaxMs) && found;
  };
  const outcomes = await until('each image has its outcome', isDone, outcomeWithinMs).catch(read);
  return images.map((image, index) => {
    const outcome = outcomes[index];
    if (outcome === undefined) throw new Error('an image has gone');
    run.tally.count(image.kind, outcome.state === 'hosted' ? 'hosted' : 'refused');
    return { image, outcome };
  });
}

async function judgeImage(image: NumberedImage, outcome: Outcome, { run, system }: Work): Promise<void> {
  const repeat = `npm run fuzz -- --only images --seed ${run.seed} --mutations ${Math.ceil(run.mutated / 10)} --input ${image.number}`;
  const problems = [outcomeProblem(image, outcome)];
  if (outcome.state === 'hosted') {
    const [large, thumb] = [await served(outcome.url, system), await served(outcome.thumbnailUrl, system)];
    problems.push(await problemOf(large, { longestPx: 1_600, size: image.size }));
    problems.push(await problemOf(thumb, { longestPx: 400, size: undefined }));
  }
  for (const problem of problems)
    if (problem !== undefined) run.tally.find({ kind: image.kind, what: `${image.name}: ${problem}`, repeat });
}

function outcomeProblem(image: HostileImage, { state, reason }: Outcome): string | undefined {
  if (state === 'pending') return 'has no outcome';
  if (image.outcome !== 'either' && image.outcome !== state)
    return `is ${state} (${reason ?? 'no reason'}) instead of ${image.outcome}`;
  return state === 'failed' && !isStated(reason) ? `failed for ${reason ?? 'no reason'}` : undefined;
}

/** What a partner may read about an image begins with a sentence of ours. */
const isStated = (reason: string | null): boolean =>
  reason !== null &&
  reason.length < 200 &&
  Object.values(imageFailureInEnglish).some((sentence) => reason.startsWith(sentence));

async function served(url: string | null, { product }: FuzzSystem): Promise<Buffer> {
  if (url === null) return Buffer.alloc(0);
  const response = await fetch(new URL(new URL(url).pathname, product.apiUrl));
  const isImage = response.status === 200 && response.headers.get('content-type') === 'image/jpeg';
  return isImage ? Buffer.from(await response.arrayBuffer()) : Buffer.alloc(0);
}

/** Why these bytes are no clean JPEG of ours; undefined when they are. */
async function problemOf(
  bytes: Buffer,
  { longestPx, size }: { longestPx: number; size: string | undefined },
): Promise<string | undefined> {
  if (bytes.length === 0) return 'is hosted, but not served as a JPEG';
  if (['SMUGGLED', '<script', '<?php', 'PK\x03\x04', '<svg'].some((text) => bytes.includes(text, 0, 'latin1')))
    return `what was smuggled in (${smuggled.slice(0, 8)}) is served`;
  try {
    const { format, width, height, exif, icc, xmp, iptc } = await sharp(bytes).metadata();
    await sharp(bytes, { failOn: 'warning' }).raw().toBuffer();
    if (format !== 'jpeg' || Math.max(width, height) > longestPx)
      return `is served as ${format} of ${width} × ${height}`;
    if (size !== undefined && size !== `${width}x${height}`) return `is ${width}x${height} instead of ${size}`;
    return [exif, icc, xmp, iptc].some((part) => part !== undefined) ? 'is served with metadata' : undefined;
  } catch (error) {
    return `is served as a JPEG that can't be decoded: ${String(error)}`;
  }
}

/** The disk holds two clean files for each picture that is hosted, and nothing else. */
async function judgeStore(hosted: number, { system, run }: Work): Promise<void> {
  const root = system.servers.productSettings['IMAGE_STORE_DIR'] ?? '';
  const names = await readdir(root, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const repeat = `npm run fuzz -- --only images --seed ${run.seed}`;
  const find = (what: string): void => run.tally.find({ kind: 'the image store', what, repeat });
  if (files.length > hosted * 2) find(`${files.length} files for ${hosted} hosted images`);
  for (const path of files) {
    const problem = await problemOf(await readFile(path), { longestPx: 1_600, size: undefined });
    if (problem !== undefined) find(`${path.slice(root.length)}: ${problem}`);
  }
}

/** The worker is alive, and a sound picture is hosted as ever. */
async function hostRightly(work: Work): Promise<void> {
  const { jpeg = Buffer.alloc(0) } = await soundImages();
  // Another content than the others, so that it is not known already.
  const bytes = await sharp(jpeg).negate().jpeg().toBuffer();
  work.host.serve('/right.jpg', file(bytes));
  const { world, account } = work.system;
  const body = { ...anItemBody, imageUrls: [`${work.host.url}/right.jpg`] };
  await world.call('PUT', '/integration/v1/items/images-right', { apiKey: account.apiKey, body });
  const isHosted = async (): Promise<boolean> => {
    const reply = await world.call('GET', '/integration/v1/items/images-right?view=full', { apiKey: account.apiKey });
    return reply.body.images[0].state === 'hosted';
  };
  const repeat = `npm run fuzz -- --only images --seed ${work.run.seed}`;
  await until('a sound picture is hosted', isHosted, 60_000).catch((error: unknown) => {
    work.run.tally.find({ kind: 'after all images', what: String(error), repeat });
  });
}
