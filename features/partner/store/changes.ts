import type { ClientSession } from 'mongoose';
import { ChangeSet, type Change } from '../rules/change-set.ts';
import { perStore } from '../../../platform/database/batch.ts';
import { defineChannel, type Heard } from '../../../platform/database/channel.ts';
import type { StoreConnection } from '../../../platform/database/connection.ts';

const bytesMax = 2_097_152;
const channel = defineChannel<Change>('changes', bytesMax);

/**
 * Shortest time between two sends of a process. Changes in between are sent together, one for each account and kind.
 */
const betweenTellsMs = 150;
/** Most changes in one send; the rest goes with the next. */
const changesMax = 500;

/**
 * Changes that were not sent yet. No write waits for the send; when a change is lost, pages see it at their own next
 * look.
 */
class ChangeNotes {
  readonly #store: StoreConnection;
  readonly #changes = new ChangeSet();
  #isWaiting = false;

  constructor(store: StoreConnection) {
    this.#store = store;
  }

  add(change: Change): void {
    this.#changes.add(change);
    // The first change after a pause is sent at once, with those of the same turn of the event loop.
    if (!this.#isWaiting) this.#tellIn(0);
  }

  #tellIn(ms: number): void {
    this.#isWaiting = true;
    setTimeout(() => this.#tell(), ms).unref();
  }

  #tell(): void {
    this.#isWaiting = false;
    if (this.#changes.size === 0) return;
    this.#tellIn(betweenTellsMs);
    channel.send(this.#store, this.#changes.take(changesMax));
  }
}

const notesOf = perStore((store: StoreConnection) => new ChangeNotes(store));

/** Changes noted in transactions that have not ended. */
const uncommitted = new WeakMap<ClientSession, Change[]>();

/**
 * Notes that a row has changed, for pages that show it. Call it after the write. In a transaction it is sent after the
 * commit, so that a page that reads again sees the change.
 */
export function noteChange(store: StoreConnection, change: Change, session?: ClientSession): void {
  if (session === undefined) {
    notesOf(store).add(change);
    return;
  }
  const known = uncommitted.get(session);
  if (known !== undefined) {
    known.push(change);
    return;
  }
  const changes = [change];
  uncommitted.set(session, changes);
  session.once('ended', () => {
    for (const one of changes) notesOf(store).add(one);
  });
}

/**
 * Receives the changes of all accounts from all processes until `signal` aborts. It begins with those of the last
 * moments. Never rejects.
 */
export const hearChanges = channel.hear;
export type HeardChanges = Heard<Change>;
