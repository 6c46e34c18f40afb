import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { readFileSync, writeFileSync } from 'node:fs';
import test from 'ava';
import sharp from 'sharp';
import { ImageWork, type ImageWorkOptions } from '../../gateways/image-process/image-work.ts';
import { UnusableImage } from '../../gateways/image-process/port.ts';
import type { ProcessAnswer } from '../../gateways/image-process/process-messages.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Where the files of one image go: a folder of the test's own. */
function somePlaces() {
  const folder = temporaryFolder('work');
  const place = (name: string) =>
    ({ kind: 'file', path: join(folder, name), temporary: join(folder, `half-${name}`) }) as const;
  return { large: place('large.jpg'), thumb: place('thumb.jpg') };
}
const picture = await sharp({ create: { width: 4_000, height: 3_000, channels: 3, background: '#dc1414' } })
  .jpeg()
  .toBuffer();

/** The work of an image process, in this one, whose downloads are `download`. */
function aProcess(
  download: ImageWorkOptions['download'],
  limits: Pick<ImageWorkOptions, 'slackMegabytes' | 'cpuSecondsMax'> = {},
) {
  const answers: ProcessAnswer[] = [];
  let tooMuch = 0;
  const work = new ImageWork({
    download,
    roomMegabytes: 80,
    ...limits,
    send: (answer) => answers.push(answer),
    onTooMuch: () => {
      tooMuch += 1;
    },
  });
  return { work, answers, tooMuch: () => tooMuch };
}

const fetchTask = { kind: 'fetch', image: 1, url: 'https://shop.example/a.jpg', account: 'a' } as const;
const anEncodeTask = () => ({ kind: 'encode', image: 1, megabytesMax: 75, places: somePlaces() }) as const;

test('an image is fetched, encoded and stored, and each of these is told', async (t) => {
  const { work, answers, tooMuch } = aProcess(async () => picture);
  const encodeTask = anEncodeTask();
  const { large, thumb } = encodeTask.places;
  await work.do(fetchTask);
  t.deepEqual(answers.splice(0), [
    { kind: 'fetched', image: 1, contentHash: createHash('sha256').update(picture).digest('hex') },
  ]);
  await work.do({ ...encodeTask, megabytesMax: 10 });
  t.deepEqual(answers.splice(0), [{ kind: 'too heavy', image: 1, megabytes: 60 }]);
  await work.do(encodeTask);
  const bytes = readFileSync(large.path).length + readFileSync(thumb.path).length;
  t.deepEqual(answers, [
    { kind: 'encoded', image: 1 },
    { kind: 'stored', image: 1, bytes },
  ]);
  t.is(tooMuch(), 0);
});

test('a picture that takes more memory than its header promised is told of while it is decoded', async (t) => {
  // As if the process had held less before.
  const { work, tooMuch } = aProcess(async () => picture, { slackMegabytes: -100_000 });
  await work.do(fetchTask);
  await work.do(anEncodeTask());
  t.true(tooMuch() > 0);
});

test('a picture that takes more processor time than it may is told of while it is decoded', async (t) => {
  const { work, answers } = aProcess(async () => picture, { cpuSecondsMax: 0 });
  await work.do(fetchTask);
  await work.do(anEncodeTask());
  t.true(answers.some((answer) => answer.kind === 'too slow' && answer.seconds === 0));
});

test('a file that the store does not take, and an image that cannot be had, are told with their reason', async (t) => {
  const { work, answers } = aProcess(async () => picture);
  await work.do(fetchTask);
  const { places, ...task } = anEncodeTask();
  writeFileSync(places.large.path, 'a file where a folder is needed');
  const inside = { ...places.large, path: join(places.large.path, 'inside.jpg') };
  await work.do({ ...task, places: { ...places, large: inside } });
  t.like(answers.at(-1), { kind: 'not stored', image: 1 });
  const missing = aProcess(() =>
    Promise.reject(new UnusableImage({ kind: 'not_found', number: 404 }, { retry: 'later' })),
  );
  await missing.work.do(fetchTask);
  t.deepEqual(missing.answers, [
    { kind: 'unusable', image: 1, failure: { kind: 'not_found', number: 404 }, retry: 'later' },
  ]);
});

test('what is forgotten leaves its room, and nothing more is told of it', async (t) => {
  let stopped = 0;
  const { work, answers } = aProcess(async (_url, { signal, room } = {}) => {
    // Half of the room is all that an account may have, and larger images of it wait.
    await room?.(40_000_000);
    if (stopped > 0) return picture;
    if (signal?.aborted !== true)
      await new Promise((resolve) => signal?.addEventListener('abort', resolve, { once: true }));
    stopped += 1;
    throw new UnusableImage({ kind: 'broken' });
  });
  const first = work.do(fetchTask);
  const second = work.do({ ...fetchTask, image: 2 });
  await work.do({ kind: 'forget', image: 1 });
  await first;
  await second;
  t.deepEqual(
    answers.map(({ kind, image }) => [kind, image]),
    [['fetched', 2]],
  );
});
