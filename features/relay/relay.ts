import { setTimeout as pause } from 'node:timers/promises';
import type { AccountId } from '../rules/ids.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import {
  claimOwedDeliveries,
  listWaitingTargets,
  postponeOwedDeliveries,
  type TargetKey,
} from '../webhooks/store/waiting-deliveries.ts';
import { claimOwedBulkSyncs, postponeOwedBulkSyncs } from '../bulk-syncs/store/owed-bulk-syncs.ts';
import { findOwedKinds, type OwedKind } from './store/owed-kinds.ts';
import {
  claimBacklog,
  claimOwed,
  countBulkAtWork,
  findBacklog,
  findOwed,
  listBacklogAccounts,
  postponeOwed,
} from '../items/store/owed-items.ts';
import { claimOwedTargets, oweLook, receiverRests } from '../webhooks/store/receiver-state.ts';
import { awayMs, type WorkflowStarts } from './start-workflows.ts';

export interface RelayDependencies {
  readonly store: StoreConnection;
  readonly starts: WorkflowStarts;
  /** Begins the automatic recoveries that are due. */
  readonly beginRecoveries: () => Promise<unknown>;
  /** Sends the mails that are due; the round does not wait for mail servers. */
  readonly sendMails: () => Promise<unknown>;
  readonly now: () => Date;
}

/** Rows of one kind that one round starts. */
const rowsMax = 200;
/** Items of bulk work that are with a workflow at once, for all processes together. So the engine has room for others. */
const bulkItemsMax = 32;
/** Pause before the next look while bulk work waits for others to end. */
const fullMs = 250;
/** A target whose deliveries wait is started again after this time, in case its workflow has ended or rests since. */
const waitingAgainMs = 10_000;

/**
 * Starts what was not started: its process has died, or the engine was away. The only loop that schedules work. Each worker runs it
 * every two seconds; a row is started by the one that gives it its next date. Returns whether more may be waiting.
 */
export class Relay {
  readonly #dependencies: RelayDependencies;
  /** When each account's bulk work was started last; the one that was served longest ago is next. */
  readonly #servedAt = new Map<AccountId, number>();
  /** When the workflow of each target with waiting deliveries was started last. */
  readonly #startedAt = new Map<string, number>();

  constructor(dependencies: RelayDependencies) {
    this.#dependencies = dependencies;
  }

  async round(): Promise<boolean> {
    const { store, beginRecoveries, sendMails, now } = this.#dependencies;
    const owed = await findOwedKinds(store, now());
    const work: Readonly<Record<OwedKind, () => Promise<unknown>>> = {
      items: () => this.#startItems(),
      deliveries: () => this.#startDeliveries(),
      endpoints: () => this.#startTargets(),
      urls: () => this.#startTargets(),
      waiting: () => this.#startWaiting(),
      bulkSyncs: () => this.#startBulkSyncs(),
      recoveries: beginRecoveries,
      mails: sendMails,
      backlog: () => this.#startBacklog(),
    };
    // A kind that fails stands before no other one.
    const ends = await Promise.allSettled([...owed].map((kind) => work[kind]()));
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    return ends.some((end) => end.status === 'fulfilled' && end.value === true);
  }

  async #startItems(): Promise<boolean> {
    const { store, starts, now } = this.#dependencies;
    const owed = await findOwed(store, { now: now(), limit: rowsMax });
    const claimed = await claimOwed(store, owed, now());
    const lost = await starts.startAll(claimed.map((row) => starts.ofItem(row)));
    await postponeOwed(store, at(claimed, lost), this.#soon());
    return owed.length === rowsMax;
  }

  async #startDeliveries(): Promise<boolean> {
    const { store, starts, now } = this.#dependencies;
    const claimed = await claimOwedDeliveries(store, { now: now(), limit: rowsMax });
    const lost = await starts.startAll(claimed.map((row) => starts.ofDelivery(row)));
    await postponeOwedDeliveries(store, at(claimed, lost), this.#soon());
    return claimed.length === rowsMax && lost.length === 0;
  }

  async #startTargets(): Promise<void> {
    const { store, starts, now } = this.#dependencies;
    const claimed = await claimOwedTargets(store, { now: now(), limit: rowsMax });
    const lost = await starts.startAll(claimed.map((target) => starts.ofChangedReceiver(target)));
    await Promise.all(at(claimed, lost).map((target) => oweLook(store, target, { now: this.#soon() })));
  }

  /** Started if it does not run. A run that rests with a problem is signalled: it reads its row again only after ten minutes. */
  async #startWaiting(): Promise<void> {
    const { store, starts, now } = this.#dependencies;
    const at = now().getTime();
    const targets = await listWaitingTargets(store);
    const waiting = new Set(targets.map(({ target }) => target));
    for (const target of this.#startedAt.keys()) if (!waiting.has(target)) this.#startedAt.delete(target);
    const startedAt = ({ target }: TargetKey): number => this.#startedAt.get(target) ?? 0;
    const started = targets
      .filter((target) => startedAt(target) < at - waitingAgainMs)
      .toSorted((one, other) => startedAt(one) - startedAt(other))
      .slice(0, rowsMax);
    const isResting = await Promise.all(started.map((target) => receiverRests(store, target, now())));
    const all = started.map((target, index) =>
      isResting[index] === true ? starts.ofChangedReceiver(target) : starts.ofReceiver(target),
    );
    const lost = new Set(await starts.startAll(all));
    for (const [index, { target }] of started.entries()) if (!lost.has(index)) this.#startedAt.set(target, at);
  }

  async #startBulkSyncs(): Promise<void> {
    const { store, starts, now } = this.#dependencies;
    const claimed = await claimOwedBulkSyncs(store, { now: now(), limit: rowsMax });
    const lost = await starts.startAll(claimed.map((bulk) => starts.ofBulkSync(bulk)));
    await postponeOwedBulkSyncs(store, at(claimed, lost), this.#soon());
  }

  /** Bulk work: accounts take turns, and only so many items are with a workflow. */
  async #startBacklog(): Promise<boolean> {
    const { store, starts, now } = this.#dependencies;
    const accounts = await listBacklogAccounts(store);
    for (const account of this.#servedAt.keys()) if (!accounts.includes(account)) this.#servedAt.delete(account);
    if (accounts.length === 0) return false;
    let room = bulkItemsMax - (await countBulkAtWork(store, bulkItemsMax));
    const share = Math.max(1, Math.floor(room / accounts.length));
    const inTurn: readonly AccountId[] = accounts.toSorted((one, other) => this.#servedOf(one) - this.#servedOf(other));
    for (const account of inTurn) {
      if (room <= 0) break;
      const rows = await findBacklog(store, account, { limit: Math.min(share, room) });
      const claimed = await claimBacklog(store, rows, now());
      for (const row of claimed) starts.itemSoon(row, { isBacklog: true });
      room -= claimed.length;
      this.#servedAt.set(account, performance.now());
    }
    await pause(fullMs);
    return true;
  }

  readonly #servedOf = (account: AccountId): number => this.#servedAt.get(account) ?? 0;

  #soon(): Date {
    return new Date(this.#dependencies.now().getTime() + awayMs);
  }
}

const at = <Row>(rows: readonly Row[], positions: readonly number[]): Row[] =>
  positions.flatMap((position) => rows[position] ?? []);
