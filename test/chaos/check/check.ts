import type { Observed, Violation } from '../observed.ts';
import { checkDeliveries } from './check-deliveries.ts';
import { checkEvents } from './check-events.ts';
import { checkItems, checkListings, checkSettled } from './check-items.ts';

/** Compares what a run has seen with what the service promises. Gives everything that may not be, not just the first. */
export const check = (observed: Observed): Violation[] => [
  ...checkItems(observed),
  ...checkListings(observed),
  ...checkSettled(observed),
  ...checkEvents(observed),
  ...checkDeliveries(observed),
  ...checkImages(observed),
  ...checkBulks(observed),
  ...checkWorkflows(observed),
  ...observed.wrongSums.map((message): Violation => ({ kind: 'sums', id: message.split(':')[0] ?? '', message })),
];

/** Every file has a record, and every picture of an item has both. Young records without an item are the collector's affair. */
function checkImages({ images, rows }: Observed): Violation[] {
  const [files, records] = [new Set(images.files), new Set(images.records)];
  const wanted = rows
    .filter(({ current }) => current)
    .flatMap(({ account, externalId, images: hashes }) =>
      hashes.map((hash) => ({ externalId, key: `${account}/${hash}` })),
    );
  return [
    ...images.files
      .filter((key) => !records.has(key))
      .map((key): Violation => ({ kind: 'orphan-image', id: key, message: 'the file has no record' })),
    ...wanted
      .filter(({ key }) => !files.has(key) || !records.has(key))
      .map(({ key, externalId }): Violation => ({
        ...{ kind: 'image-missing', id: key },
        message: `${externalId} shows it, and there is no ${files.has(key) ? 'record' : 'file'} of it`,
      })),
  ];
}

function checkBulks({ bulks }: Observed): Violation[] {
  return bulks.flatMap(({ id, state, lines, counted, failed }): Violation[] => {
    const wrong = (message: string): Violation => ({ kind: 'bulk', id, message });
    if (state !== 'completed') return [wrong(`it is ${state}`)];
    return [
      ...(counted === lines ? [] : [wrong(`${counted} of ${lines} lines are accounted for`)]),
      ...(failed <= lines ? [] : [wrong(`${failed} of ${lines} lines failed`)]),
    ];
  });
}

/** What runs has something to wait for, and nothing ended otherwise than well. */
function checkWorkflows({ workflows, rows, deliveries }: Observed): Violation[] {
  const owed = new Set([
    ...rows.filter(({ isSettled }) => !isSettled).map(({ id }) => `item:${id}`),
    ...deliveries.filter(({ state }) => state === 'pending').map(({ id }) => `delivery:${id}`),
  ]);
  return [
    ...workflows.broken.map((id): Violation => ({
      kind: 'workflow',
      id,
      message: 'it ended badly, or its tasks fail',
    })),
    ...workflows.running
      .filter((id) => !owed.has(id))
      .map((id): Violation => ({ kind: 'workflow', id, message: 'it runs, and nothing is owed' })),
  ];
}
