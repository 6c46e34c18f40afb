/**
 * Task queues: a base name (`itembridge`, or another one per test) with a suffix per kind of work. So CPU-heavy images, the
 * marketplace's budget and slow receivers each have their own queue.
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

/** The queue of another kind with the same base name as the workflow's own. */
export const siblingQueue = (ownQueue: string, kind: QueueKind): string =>
  queueName(ownQueue.slice(0, ownQueue.lastIndexOf('.')), kind);
