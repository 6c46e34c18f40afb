import test from 'ava';
import { announceImages, firstImageSet } from '../../features/images/rules/image-set.ts';
import type { Item } from '../../features/items/rules/item.ts';
import type { HostOptions } from '../../gateways/image-process/port.ts';
import { createImageSteps, processImages, type ImageDependencies } from '../../features/images/process-images.ts';
import { anItem, later, noon } from '../support/an-item.ts';
import { ListingStage } from './support/listing-stage.ts';

const url = 'https://erp.example/1.jpg';

/** The item's images are processed with a store that cannot write. */
async function failToStore(stage: ListingStage): Promise<unknown> {
  const dependencies = {
    items: stage.items,
    imageProcesses: { host: (_url: string, { placesOf }: HostOptions) => placesOf('0'.repeat(64)) },
    imageRecords: { find: () => Promise.resolve(null) },
    imageStore: { place: () => Promise.reject(new Error('the disk is full')) },
    imageClaims: { open: () => Promise.resolve({}) },
    whyNoRoom: () => Promise.resolve(),
    pause: () => Promise.resolve(),
    imageSteps: createImageSteps(),
    now: () => stage.now,
  } as unknown as ImageDependencies;
  return processImages(dependencies, stage.item);
}

const withImage = (state: 'pending' | 'hosted'): Item => {
  const set = firstImageSet([url]);
  const images = set.images.map((image) => ({ ...image, state, contentHash: state === 'hosted' ? 'hash' : null }));
  return anItem({ imageSet: { ...set, announced: state === 'hosted', images } });
};

test('an image store that cannot write is what the partner reads that the item waits for, with when it began', async (t) => {
  const stage = new ListingStage(withImage('pending'));
  await t.throwsAsync(failToStore(stage));
  stage.nowMs += 60_000;
  await t.throwsAsync(failToStore(stage));
  t.like(stage.processing, { stage: 'images', waitingFor: 'image_store', attempts: 2, since: noon });
  t.regex(stage.processing.lastError ?? '', /^IMAGE_STORE_FAILED: /);
  t.is(stage.item.imageSet.images[0]?.state, 'pending');
});

test('once its images are hosted nothing of that is left to read, and the item goes up', async (t) => {
  const stage = new ListingStage(withImage('pending'));
  await t.throwsAsync(failToStore(stage));
  await stage.write((item) => announceImages({ ...item, imageSet: withImage('hosted').imageSet }, later(1)));
  t.like(stage.processing, { waitingFor: null, lastError: null });
  await stage.work();
  t.is(stage.auction.images, 1);
  t.like(stage.processing, { stage: 'settled', waitingFor: null, lastError: null });
});

test('a hosted image that cannot be read holds the publication, visibly, and is fetched again; then it goes up', async (t) => {
  const stage = new ListingStage(withImage('hosted'));
  stage.readableImages = [];
  t.is((await stage.work('process-images')).kind, 'process-images');
  t.like(stage.processing, {
    waitingFor: 'image_store',
    lastError: 'IMAGE_STORE_FAILED: a hosted image could not be read',
  });
  t.deepEqual(stage.marketplace.auctions, []);
  stage.readableImages = null;
  await stage.write((item) => announceImages({ ...item, imageSet: withImage('hosted').imageSet }, later(1)));
  await stage.work();
  t.is(stage.auction.images, 1);
  t.is(stage.processing.lastError, null);
});
