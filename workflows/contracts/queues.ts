/**
 * Task queues. One base name (`itembridge`, or one of its own for each test) with a suffix for each kind of work, so that
 * CPU-heavy images, the marketplace's budget and slow receivers each wait in a line of their own.
 */
export const queueKinds = [
  'items',
  'images',
  'enrichment',
  'marketplace',
  'deliveries',
  'attempts',
  'recoveries',
  'bulks',
] as const;
export type QueueKind = (typeof queueKinds)[number];

export const queueName = (base: string, kind: QueueKind): string => `${base}.${kind}`;

/** The queue of another kind beside the one that a workflow runs on. */
export const siblingQueue = (ownQueue: string, kind: QueueKind): string =>
  queueName(ownQueue.slice(0, ownQueue.lastIndexOf('.')), kind);
