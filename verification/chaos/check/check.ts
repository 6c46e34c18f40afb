import type { Observed, Violation } from '../observed.ts';
import { checkDeliveries } from './check-deliveries.ts';
import { checkEvents } from './check-events.ts';
import { checkItems, checkListings, checkSettled } from './check-items.ts';

/** Compares what a run has seen with what the service promises. Gives everything that may not be, not just the first. */
export const check = (observed: Observed): Violation[] => [
  ...checkAnswers(observed),
  ...checkItems(observed),
  ...checkListings(observed),
  ...checkSettled(observed),
  ...checkEvents(observed),
  ...checkDeliveries(observed),
  ...checkImages(observed),
  ...checkBulks(observed),
  ...checkWorkflows(observed),
];

/** Whatever is broken behind it, the API says so (503), and soon. */
const checkAnswers = ({ badAnswers }: Observed): Violation[] =>
  badAnswers.map(({ at, call, status }) => ({
    kind: 'bad-answer',
    id: call,
    message: `${status === null ? 'no answer came' : `it was answered ${status}`}, ${new Date(at).toISOString()}`,
  }));

/** Every file has a record, and every picture of an item has that and both sizes. Young records without an item are the collector's affair. */
function checkImages({ images, rows }: Observed): Violation[] {
  const [whole, records] = [new Set(images.whole), new Set(images.records)];
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
      .filter(({ key }) => !whole.has(key) || !records.has(key))
      .map(({ key, externalId }): Violation => ({
        kind: 'image-missing',
        id: key,
        message: `${externalId} shows it, and there is no ${whole.has(key) ? 'record' : 'file of each size'} of it`,
      })),
  ];
}

function checkBulks({ bulks, writes }: Observed): Violation[] {
  return bulks.flatMap(({ id, account, state, lines, counted, failed, errors, writesBefore }): Violation[] => {
    const later = new Set(
      writes.slice(writesBefore).flatMap((write) => (write.account === account ? [write.externalId] : [])),
    );
    const unexplained = errors.filter(({ code, externalId }) => code !== 'CONFLICT' || !later.has(externalId));
    const wrong = (message: string): Violation => ({ kind: 'bulk', id, message });
    if (state !== 'completed') return [wrong(`it is ${state}`)];
    return [
      ...(counted === lines ? [] : [wrong(`${counted} of ${lines} lines are accounted for`)]),
      ...(failed === errors.length ? [] : [wrong(`${failed} lines failed, ${errors.length} errors are told`)]),
      // The load sends nothing that could be refused, but for what was written again since: the file comes too late for that.
      ...unexplained.map(({ code, externalId }) => wrong(`the line of ${externalId} failed with ${code}`)),
    ];
  });
}

/** What runs has something to wait for, and nothing ended otherwise than well. */
function checkWorkflows({ workflows, rows, deliveries, endpoints }: Observed): Violation[] {
  const inTrouble = endpoints.filter(({ isReachable, failCount }) => !isReachable && failCount > 0);
  const shown = inTrouble.map(({ id }) => `receiver:${id}`);
  const owed = new Set([
    ...shown,
    ...rows.filter(({ isSettled, isBlocked }) => !isSettled || isBlocked).map(({ id }) => `item:${id}`),
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
    ...shown
      .filter((id) => !workflows.running.includes(id))
      .map((id): Violation => ({ kind: 'workflow', id, message: 'its receiver fails, and no operator sees it' })),
  ];
}
