import { imagesReadyId, listingFailedId } from '../../webhooks/rules/event-types.ts';
import { emit } from '../../webhooks/rules/event-data.ts';
import { idle } from '../../items/rules/owed-work.ts';
import { describeImageFailure, type ImageFailure } from './image-failure.ts';
import { newestListing, wantsPublication, type ImageSet, type Item, type ItemImage } from '../../items/rules/item.ts';
import { theService } from '../../items/rules/journal.ts';
import { note } from '../../items/rules/note.ts';
import { serviceStatusAfter } from '../../items/rules/transitions.ts';

const pending = (sourceUrl: string): ItemImage => ({ sourceUrl, state: 'pending', contentHash: null, failure: null });

/** The images of a new item, none hosted yet. */
export const firstImageSet = (urls: readonly string[]): ImageSet => ({
  number: 1,
  images: urls.map(pending),
  announced: urls.length === 0,
});

/**
 * The set for a repeated push. The same list without failures is the same set; a failed image is tried again, and an
 * image that is already hosted is kept (decisions: "Sent again for an item with failed images, it has those tried again").
 */
export function nextImageSet(existing: ImageSet, urls: readonly string[]): ImageSet {
  const isSameList =
    existing.images.length === urls.length && existing.images.every((image, n) => image.sourceUrl === urls[n]);
  if (isSameList && existing.images.every((image) => image.state !== 'failed')) return existing;
  const known = new Map(existing.images.map((image) => [image.sourceUrl, image]));
  const next = (url: string): ItemImage => {
    const image = known.get(url) ?? pending(url);
    return image.state === 'hosted' ? { ...image, failure: null } : fetchedAgain(image);
  };
  return { number: existing.number + 1, images: urls.map(next), announced: urls.length === 0 };
}

/** The hosted file stays until the image was fetched again. */
const fetchedAgain = (image: ItemImage): ItemImage => ({ ...image, state: 'pending', failure: null });

/** The set for a push that asks to fetch all images again, whatever their state. */
export function refreshedImageSet(existing: ImageSet, urls: readonly string[]): ImageSet {
  const next = nextImageSet(existing, urls);
  if (urls.length === 0) return next;
  return { number: existing.number + 1, images: next.images.map(fetchedAgain), announced: false };
}

export type ImageOutcome =
  | { readonly state: 'hosted'; readonly contentHash: string }
  | { readonly state: 'failed'; readonly failure: ImageFailure };

/** Records outcomes by source URL. Outcomes of another set are dropped: the list changed meanwhile. */
export function recordImageOutcomes(item: Item, setNumber: number, outcomes: ReadonlyMap<string, ImageOutcome>): Item {
  if (item.imageSet.number !== setNumber) return item;
  const images = item.imageSet.images.map((image): ItemImage => {
    const outcome = image.state === 'pending' ? outcomes.get(image.sourceUrl) : undefined;
    if (outcome === undefined) return image;
    return outcome.state === 'hosted'
      ? { ...image, state: 'hosted', contentHash: outcome.contentHash, failure: null }
      : // Fetching again failed, so the hosted image stays.
        { ...image, state: image.contentHash === null ? 'failed' : 'hosted', failure: outcome.failure };
  });
  return { ...item, imageSet: { ...item.imageSet, images } };
}

/**
 * Headers of every hosted image, whichever server sends it. A key contains the hash of the source, so the image under a
 * key never changes.
 */
export const hostedImageHeaders = { type: 'image/jpeg', cacheControl: 'public, max-age=31536000, immutable' } as const;

export const hostedImages = <Image extends Pick<ItemImage, 'state'>>({
  imageSet,
}: {
  readonly imageSet: { readonly images: readonly Image[] };
}): readonly Image[] => imageSet.images.filter((image) => image.state === 'hosted');

/** An item with the part of its images that tells which are hosted. */
export interface WithHostedImages {
  readonly imageSet: { readonly images: readonly Pick<ItemImage, 'state' | 'contentHash'>[] };
}

/** Content hashes of the hosted images, in their order. */
export const hostedHashes = (item: WithHostedImages): readonly string[] =>
  hostedImages(item).flatMap(({ contentHash }) => contentHash ?? []);
export const hasPendingImages = (item: Item): boolean =>
  item.imageSet.images.some((image) => image.state === 'pending');

export interface FailedImage {
  readonly url: string;
  readonly failure: ImageFailure;
}

export const failedImages = ({ imageSet }: Item): readonly FailedImage[] =>
  imageSet.images.flatMap(({ sourceUrl, failure }) => (failure === null ? [] : [{ url: sourceUrl, failure }]));

export const hasFailedImages = (item: Item): boolean => item.imageSet.images.some((image) => image.state === 'failed');

/** Every image failed: such an item isn't shown or published until its images work. */
export const allImagesFailed = (item: Item): boolean =>
  item.imageSet.images.length > 0 && item.imageSet.images.every((image) => image.state === 'failed');

/** Announces once that every image has its outcome. A draft with at least one hosted image goes live on the service. */
export function announceImages(item: Item, now: Date): Item {
  const failed = failedImages(item);
  const imagesProcessed = hostedImages(item).length;
  const isReady = item.serviceStatus === 'draft' && imagesProcessed > 0;
  const complete: Item = {
    ...item,
    imageSet: { ...item.imageSet, announced: true },
    contentNumber: item.contentNumber + 1,
    processing: item.processing.waitingFor === 'image_store' ? idle(now) : item.processing,
    serviceStatus: isReady ? serviceStatusAfter('ready', item.serviceStatus) : item.serviceStatus,
    updatedAt: now,
  };
  const announced = emit(
    note(complete, {
      at: now,
      kind: 'images_ready',
      details: {
        hosted: imagesProcessed,
        total: item.imageSet.images.length,
        failed: failed.length,
        failures: [...new Set(failed.map(({ failure }) => failure.kind))],
      },
      actor: theService,
    }),
    {
      eventId: imagesReadyId(item.id, item.imageSet.number),
      type: 'item.images_ready',
      occurredAt: now,
      platform: 'service',
      extra: {
        imagesProcessed,
        ...(failed.length > 0 && {
          imagesFailed: failed.map(({ url, failure }) => ({
            url,
            reason: describeImageFailure(failure),
            kind: failure.kind,
          })),
        }),
      },
    },
  );
  if (!allImagesFailed(announced)) return announced;
  if (isBeingPublished(announced)) return tellImagesFailed(announced, now);
  return announced.serviceStatus === 'draft' ? waitForImages(announced, 'images', now) : announced;
}

/** Publication was asked for, and the auction is not up yet. */
export const isBeingPublished = (item: Pick<Item, 'listings' | 'wantedPublication'>): boolean =>
  wantsPublication(item) || ['drafting', 'prepared'].includes(newestListing(item)?.state ?? '');

/** The stored file is gone: the image is downloaded again from its source URL. */
export const forgetHostedImage = (item: Item, contentHash: string): Item => ({
  ...item,
  imageSet: {
    ...item.imageSet,
    images: item.imageSet.images.map((image) =>
      image.contentHash === contentHash ? { ...image, state: 'pending', contentHash: null, failure: null } : image,
    ),
  },
});

/** A requested publication can't happen without images: the partner gets the event once (interface-decisions "Events"). */
function tellImagesFailed(item: Item, now: Date): Item {
  const told = item.imagesFailedTold === item.wantedPublication ? item : emitImagesFailed(item, now);
  return { ...waitForImages(told, 'publishing', now), imagesFailedTold: item.wantedPublication };
}

/** Work stops until other images come, or a retry of the same ones succeeds. */
const waitForImages = (item: Item, stage: 'publishing' | 'images', now: Date): Item => ({
  ...item,
  processing: {
    ...item.processing,
    stage,
    waitingFor: 'images',
    lastError: imagesFailed(item),
    since: now,
    updatedAt: now,
  },
});

/** The reason of the first image stands for all; each has its own beside it. */
function imagesFailed(item: Item): string {
  const [first] = failedImages(item);
  const which = item.imageSet.images.length > 1 ? '; the first' : '';
  const reason = first === undefined ? '' : `${which}: ${describeImageFailure(first.failure)}`;
  return `IMAGES_FAILED: no image of the item could be used${reason}`;
}

const emitImagesFailed = (item: Item, now: Date): Item =>
  emit(item, {
    eventId: listingFailedId(item.id, {
      publication: item.wantedPublication,
      cause: 'IMAGES_FAILED',
      refusedRevision: 0,
    }),
    type: 'listing.failed',
    occurredAt: now,
    platform: 'marketplace',
    extra: { error: imagesFailed(item) },
  });
