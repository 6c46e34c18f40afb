import type { ExecutionContext } from 'ava';
import { until } from '../../../test/support/until.ts';
import { assertDeliveries } from './assert-deliveries.ts';
import { compileProduct } from './compile-product.ts';
import { preparePartners, startDeliveryLoad, type DeliveryLoad } from './delivery-load.ts';
import { startDeliveryReceivers, type DeliveryReceivers } from './delivery-receivers.ts';
import { startSystem, type System } from './system.ts';

/** A multiple of 100. 2,000 take five minutes a test beside the other suites, and find no more than these. */
export const eventCount = Number(process.env['CRASH_EVENTS'] ?? 400);

export interface Scene {
  readonly system: System;
  readonly receivers: DeliveryReceivers;
  readonly load: DeliveryLoad;
}

let compiling: Promise<string> | undefined;

export async function openScene(
  t: ExecutionContext,
  options: {
    overrides?: Record<string, string>;
    workers?: 2;
    /** By default a fifth has arrived. */
    isInTheMiddle?: (load: DeliveryLoad) => boolean;
  } = {},
): Promise<Scene> {
  t.timeout(1_200_000);
  const receivers = await startDeliveryReceivers();
  t.teardown(() => receivers.close());
  compiling ??= compileProduct();
  const system = await startSystem(options.overrides, { compiledIn: await compiling });
  t.teardown(() => system.stop());
  if (options.workers === 2) await system.otherWorker.start();
  const partners = await preparePartners(system, receivers, eventCount);
  const load = startDeliveryLoad(system, partners);
  const arrived = (): number => receivers.arrivals.filter(({ answered }) => answered === 200).length;
  const isInTheMiddle = options.isInTheMiddle ?? (() => arrived() >= eventCount / 5);
  await until('it is in the middle', () => Promise.resolve(arrived() > 0 && isInTheMiddle(load)), 300_000);
  return { system, receivers, load };
}

export interface Blow {
  readonly what: string;
  /** Time that the server needed until it answered again; what is beyond is the product's. */
  readonly restart: () => Promise<unknown>;
  readonly kill: () => Promise<void>;
}

/** Kills, starts again at once, waits for the end and says how it went, as one row of a table. */
export async function strike(t: ExecutionContext, { system, receivers, load }: Scene, blow: Blow): Promise<void> {
  const arrivedBefore = receivers.arrivals.length;
  await blow.kill();
  const killedAt = Date.now();
  await blow.restart();
  const restartMs = Date.now() - killedAt;
  const end = await assertDeliveries(t, { system, receivers, load });
  const takenOver = end.interrupted.map(({ createdAt }) => createdAt.getTime() - killedAt);
  const lastMs = (receivers.arrivals.at(-1)?.at ?? killedAt) - killedAt;
  const row = [
    blow.what,
    `${end.deliveries} deliveries, ${arrivedBefore} requests before the kill`,
    `0 missed, ${end.duplicates} twice`,
    `${load.broken} PUTs repeated`,
    `${end.interrupted.length} interrupted, taken over after ${seconds(Math.min(...takenOver))} to ${seconds(Math.max(...takenOver))}`,
    `started again in ${seconds(restartMs)}`,
    `all done after ${seconds(lastMs)}`,
  ];
  t.log(`| ${row.join(' | ')} |`);
}

const seconds = (ms: number): string => (Number.isFinite(ms) ? `${(ms / 1_000).toFixed(1)} s` : '-');
