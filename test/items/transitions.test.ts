import test from 'ava';
import {
  IllegalTransition,
  marketplaceStatusAfter,
  marketplaceStatuses,
  marketplaceTransitions,
  requireLegalTransition,
  serviceStatusAfter,
  serviceStatuses,
  serviceTransitions,
  type MarketplaceTrigger,
  type ServiceTrigger,
} from '../../features/items/rules/transitions.ts';

// Written once more by hand, from the specification: a row that is changed by mistake differs from it.
const service: Readonly<Record<ServiceTrigger, readonly [to: string, from: readonly string[]]>> = {
  ready: ['active', ['draft']],
  patchNotListed: ['not_listed', ['draft', 'active', 'sold', 'not_listed']],
  patchSold: ['sold', ['draft', 'active', 'sold', 'not_listed']],
  publish: ['active', ['not_listed', 'active']],
  publishUnready: ['draft', ['not_listed']],
  sellOut: ['sold', ['active']],
  restock: ['active', ['sold']],
  restockUnready: ['draft', ['sold']],
  directSale: ['sold', ['draft', 'active', 'not_listed']],
  hammerSale: ['sold', ['draft', 'active', 'sold', 'not_listed']],
  hammerSaleOfDeleted: ['archived', ['draft', 'active', 'sold', 'not_listed', 'archived']],
  deleteLinked: ['archived', ['draft', 'active', 'sold', 'not_listed']],
};
const anyMarketplace = ['active', 'sold', 'ended', 'pending_sync', 'sync_error'];
const marketplace: Readonly<Record<MarketplaceTrigger, readonly [to: string, from: readonly string[]]>> = {
  open: ['pending_sync', ['pending_sync', 'ended', 'sync_error', 'sold']],
  live: ['active', ['pending_sync', 'sync_error', 'active', 'sold']],
  end: ['ended', anyMarketplace],
  sell: ['sold', anyMarketplace],
  giveUp: ['sync_error', ['pending_sync', 'active', 'sync_error', 'sold']],
  callOffFirst: ['pending_sync', ['pending_sync']],
};

const keysOf = <Key extends string>(table: Readonly<Record<Key, unknown>>): Key[] => Object.keys(table) as Key[];

for (const trigger of keysOf(serviceTransitions)) {
  // specification: every-pair-of-states
  test(`serviceStatus, ${trigger}: from every state it leads where the specification says, or is refused`, (t) => {
    const [to, allowed] = service[trigger];
    for (const from of serviceStatuses) {
      if (allowed.includes(from)) t.is(serviceStatusAfter(trigger, from), to as never);
      else t.throws(() => serviceStatusAfter(trigger, from), { instanceOf: IllegalTransition });
    }
  });
}

for (const trigger of keysOf(marketplaceTransitions)) {
  // specification: always-one-of-five, active-live, sync-error-publishing-was, ended-closed-without-a, sold-a-winning-bid
  test(`marketplaceStatus, ${trigger}: from every state it leads where the decisions say, or is refused`, (t) => {
    const [to, allowed] = marketplace[trigger];
    for (const from of marketplaceStatuses) {
      if (allowed.includes(from)) t.is(marketplaceStatusAfter(trigger, from), to as never);
      else t.throws(() => marketplaceStatusAfter(trigger, from), { instanceOf: IllegalTransition });
    }
  });
}

// specification: any-put-with-an, every-pair-of-states
test('the store refuses exactly the pairs that no row allows', (t) => {
  const marketplaceStatus = 'pending_sync';
  for (const from of serviceStatuses) {
    for (const to of serviceStatuses) {
      const isAllowed =
        from === to || Object.values(service).some(([row, allowed]) => row === to && allowed.includes(from));
      const write = () =>
        requireLegalTransition({ serviceStatus: from, marketplaceStatus }, { serviceStatus: to, marketplaceStatus });
      if (isAllowed) t.notThrows(write, `${from} to ${to}`);
      else t.throws(write, { instanceOf: IllegalTransition }, `${from} to ${to}`);
    }
  }
  const serviceStatus = 'active';
  for (const from of marketplaceStatuses) {
    for (const to of marketplaceStatuses) {
      const isAllowed =
        from === to || Object.values(marketplace).some(([row, allowed]) => row === to && allowed.includes(from));
      const write = () =>
        requireLegalTransition({ serviceStatus, marketplaceStatus: from }, { serviceStatus, marketplaceStatus: to });
      if (isAllowed) t.notThrows(write, `${from} to ${to}`);
      else t.throws(write, { instanceOf: IllegalTransition }, `${from} to ${to}`);
    }
  }
});

// specification: every-pair-of-states
test('nothing leads out of archived but staying there', (t) => {
  for (const to of ['draft', 'active', 'sold', 'not_listed'] as const) {
    t.throws(() =>
      requireLegalTransition(
        { serviceStatus: 'archived', marketplaceStatus: 'ended' },
        { serviceStatus: to, marketplaceStatus: 'ended' },
      ),
    );
  }
});
