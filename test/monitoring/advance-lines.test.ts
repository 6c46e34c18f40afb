import test from 'ava';
import { advanceLogger } from '../../compose/observe.ts';
import { anItem } from '../support/an-item.ts';

test('a look at an item is a line of level info only where the item has to wait', (t) => {
  const told: string[] = [];
  const at = (level: string) => (line: { next: string }) => told.push(`${level} ${line.next}`);
  const counter = { add: () => undefined };
  const tell = advanceLogger({
    logger: { info: at('info'), debug: at('debug') },
    metrics: { itemAdvances: counter, itemWaits: counter },
  } as unknown as Parameters<typeof advanceLogger>[0]);
  tell(anItem(), { kind: 'process-images' });
  tell(anItem(), { kind: 'settled' });
  tell(anItem(), {
    kind: 'wait',
    waitingFor: 'marketplace',
    lastError: null,
    forMs: 1_000,
    since: null,
    attempts: 0,
  });
  t.deepEqual(told, ['debug process-images', 'debug settled', 'info wait']);
});
