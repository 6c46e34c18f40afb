import type { ClientSession } from 'mongoose';
import { ChangeSet, type Change } from '../../core/changes/change-set.ts';
import { perStore } from '../batching/batch.ts';
import { defineChannel, type Heard } from '../database/channel.ts';
import type { StoreConnection } from '../database/connection.ts';

const bytesMax = 2_097_152;
const channel = defineChannel<Change>('changes', bytesMax);

/** A process tells at most this often. What changes meanwhile is told together, one change for each account and kind. */
const betweenTellsMs = 150;
/** More accounts than this wait for the next time. */
const changesMax = 500;

/** Waits to be told. Nothing waits for it in turn; a change that is lost is seen when the page looks by itself. */
class ChangeNotes {
  readonly #store: StoreConnection;
  readonly #changes = new ChangeSet();
  #isWaiting = false;

  constructor(store: StoreConnection) {
    this.#store = store;
  }

  add(change: Change): void {
    this.#changes.add(change);
    // The first one of a while goes out at once, with what else is written in this turn.
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

/** Notes of transactions that have not ended yet. */
const uncommitted = new WeakMap<ClientSession, Change[]>();

/**
 * Notes that a row has changed, for pages that show it. Called after the write; in a transaction it is told after its end, so
 * that a page which looks again sees it.
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

/** Hears the changes of all accounts from all processes until `signal` ends it, also those of the last while. Never rejects. */
export const hearChanges = channel.hear;
export type HeardChanges = Heard<Change>;
