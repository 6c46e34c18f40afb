import fc from 'fast-check';
import { directPlatforms, orderStates, type OrderState } from '../../../features/orders/rules/order.ts';
import type { Fault, Method } from './fake-marketplace.ts';
import type { Stop } from './item-workers.ts';
import type { DirectSale, ItemWorld } from './item-world.ts';

/** One thing that happens, as plain data, so that a failing sequence can be read and shrunk. */
export type Command =
  | {
      readonly do: 'put';
      readonly title: number;
      readonly price: number;
      readonly images: number;
      readonly auto: boolean;
    }
  | { readonly do: 'price'; readonly price: number }
  | { readonly do: 'status'; readonly to: 'not_listed' | 'sold' }
  | { readonly do: 'delete' | 'publish' }
  | ({ readonly do: 'sell' } & DirectSale)
  | { readonly do: 'order'; readonly back: number; readonly to: OrderState }
  | { readonly do: 'work'; readonly back: number; readonly stop?: Stop | undefined }
  | { readonly do: Plain | Outside }
  | { readonly do: 'fault'; readonly method: Method; readonly fault: Fault }
  | { readonly do: 'images'; readonly broken: boolean }
  | { readonly do: 'advance'; readonly minutes: number }
  | { readonly do: 'outage'; readonly hours: number };

/** 100.40 and 100 are the same to the marketplace, 100.50 is 101. */
const price = fc.constantFrom(10_000, 10_040, 10_050, 20_000, 30_000);

const put = fc.record({
  do: fc.constant('put' as const),
  title: fc.nat(1),
  price,
  images: fc.nat(2),
  auto: fc.boolean(),
});

const sell = fc.record({
  do: fc.constant('sell' as const),
  platform: fc.constantFrom(...directPlatforms),
  amountOre: price,
  isPaid: fc.boolean(),
});

const order = fc.record({ do: fc.constant('order' as const), back: fc.nat(2), to: fc.constantFrom(...orderStates) });

const stop = fc.record({
  call: fc.integer({ min: 1, max: 4 }),
  at: fc.constantFrom('before' as const, 'after' as const),
});

const faults: readonly (readonly [Method, readonly Fault[]])[] = [
  ['ensure', ['budget']],
  ['createDraft', ['unavailable', 'lost-before', 'lost-after', 'budget', 'refused']],
  ['addImage', ['unavailable', 'lost-before', 'lost-after', 'refused']],
  [
    'commit',
    [
      'unavailable',
      'lost-before',
      'lost-after',
      'late',
      'late',
      'budget',
      'refused',
      'result-refused',
      'result-too-many',
      'result-try-again',
    ],
  ],
  ['readResult', ['unavailable', 'lost-before', 'result-unknown']],
  ['readAuction', ['unavailable', 'lost-before']],
  ['readRunning', ['unavailable', 'lost-before']],
  ['setPrices', ['unavailable', 'lost-before', 'lost-after', 'budget', 'result-refused']],
  ['remove', ['unavailable', 'lost-before', 'lost-after', 'budget']],
];
const fault = fc
  .constantFrom(...faults.flatMap(([method, kinds]) => kinds.map((kind) => ({ method, fault: kind }))))
  .map((of): Command => ({ do: 'fault', ...of }));

type Plain = 'go-on' | 'crash' | 'feeds' | 'expire' | 'reconnect' | 'land-late' | 'close-orders' | 'sell-again';
type Outside = 'bid' | 'end' | 'pay' | 'remove-by-hand' | 'sell-late';

const plain = (...kinds: (Plain | Outside)[]): fc.Arbitrary<Command> =>
  fc.constantFrom(...kinds).map((kind): Command => ({ do: kind }));

export const aCommand: fc.Arbitrary<Command> = fc.oneof(
  { arbitrary: put, weight: 5 },
  { arbitrary: price.map((ore): Command => ({ do: 'price', price: ore })), weight: 4 },
  {
    arbitrary: fc.constantFrom('not_listed' as const, 'sold' as const).map((to): Command => ({ do: 'status', to })),
    weight: 3,
  },
  { arbitrary: fc.constant<Command>({ do: 'publish' }), weight: 5 },
  { arbitrary: fc.constant<Command>({ do: 'delete' }), weight: 2 },
  { arbitrary: fc.nat(1).map((back): Command => ({ do: 'work', back })), weight: 10 },
  {
    arbitrary: fc.record({ do: fc.constant('work' as const), back: fc.nat(1), stop }),
    weight: 5,
  },
  { arbitrary: plain('go-on', 'feeds'), weight: 8 },
  { arbitrary: sell, weight: 4 },
  { arbitrary: order, weight: 4 },
  { arbitrary: plain('pay', 'sell-again'), weight: 2 },
  { arbitrary: plain('bid', 'end'), weight: 6 },
  {
    arbitrary: plain('crash', 'land-late', 'remove-by-hand', 'sell-late', 'expire', 'reconnect', 'close-orders'),
    weight: 8,
  },
  { arbitrary: fault, weight: 7 },
  { arbitrary: fc.boolean().map((broken): Command => ({ do: 'images', broken })), weight: 2 },
  { arbitrary: fc.constantFrom(1, 10, 70).map((minutes): Command => ({ do: 'advance', minutes })), weight: 4 },
  { arbitrary: fc.constant<Command>({ do: 'outage', hours: 25 }), weight: 1 },
);

const directly: Command = { do: 'sell', platform: 'service', amountOre: 10_000, isPaid: false };

/** Where a life may begin beside the first push: further on, things can go wrong that take long to come by. */
const beginnings: readonly (readonly Command[])[] = [
  [],
  [],
  [{ do: 'publish' }, { do: 'work', back: 0 }],
  [{ do: 'publish' }, { do: 'work', back: 0 }, { do: 'bid' }],
  [{ do: 'publish' }, { do: 'work', back: 0 }, { do: 'end' }, { do: 'feeds' }, { do: 'publish' }],
  [{ do: 'publish' }, { do: 'work', back: 0 }, { do: 'bid' }, directly, { do: 'work', back: 0 }],
  [{ do: 'publish' }, { do: 'work', back: 0 }, { do: 'end' }, { do: 'feeds' }, directly, { do: 'delete' }],
  [{ do: 'fault', method: 'commit', fault: 'late' }, { do: 'publish' }, { do: 'work', back: 0 }],
  [
    { do: 'publish' },
    { do: 'work', back: 0 },
    { do: 'fault', method: 'setPrices', fault: 'lost-after' },
    { do: 'price', price: 70_000 },
    { do: 'work', back: 0 },
  ],
];

export const aLife: fc.Arbitrary<readonly Command[]> = fc
  .tuple(put, fc.constantFrom(...beginnings), fc.array(aCommand, { minLength: 3, maxLength: 40, size: 'max' }))
  .map(([first, beginning, rest]) => [first, ...beginning, ...rest]);

const urlsOf = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => `https://images.example/${count}-${n}.jpg`);

/** What needs nothing beside its name. */
const plainly: Readonly<Record<Plain | Outside | 'delete' | 'publish', (world: ItemWorld) => Promise<void> | void>> = {
  delete: (world) => world.delete(),
  publish: (world) => world.publish(),
  'go-on': (world) => world.goOn(),
  crash: (world) => {
    world.crash();
  },
  feeds: (world) => world.readFeeds(),
  expire: (world) => {
    world.expireToken();
  },
  reconnect: (world) => world.reconnect(),
  'land-late': (world) => {
    world.landLate();
  },
  'close-orders': (world) => world.closeOrders(),
  'sell-again': (world) => world.sellAgain(),
  pay: ({ marketplace }) => {
    marketplace.pay();
  },
  bid: ({ marketplace }) => {
    marketplace.bid();
  },
  end: ({ marketplace }) => {
    marketplace.end();
  },
  'remove-by-hand': ({ marketplace }) => {
    marketplace.removeByHand();
  },
  'sell-late': ({ marketplace }) => {
    marketplace.sellLate();
  },
};

const isPlain = (command: Command): command is Extract<Command, { do: keyof typeof plainly }> => command.do in plainly;

/** Lets it happen. Throws when what partners see then is not what the model expects. */
export async function obey(world: ItemWorld, command: Command): Promise<void> {
  if (isPlain(command)) return plainly[command.do](world);
  switch (command.do) {
    case 'put': {
      const { title, price: priceOre, images, auto: autoPublish } = command;
      return world.put({ title: `Title ${title}`, priceOre, imageUrls: urlsOf(images), autoPublish });
    }
    case 'price':
      return world.patchPrice(command.price);
    case 'status':
      return world.patchStatus(command.to);
    case 'sell':
      return world.sellDirectly(command);
    case 'order':
      return world.changeOrder(command.back, command.to);
    case 'work':
      return world.work(command.back, command.stop);
    case 'fault':
      world.fault(command.method, command.fault);
      return;
    case 'images':
      world.areImagesBroken = command.broken;
      return;
    case 'advance':
      world.advance(command.minutes * 60_000);
      return;
    case 'outage':
      return world.outage(command.hours);
  }
}
