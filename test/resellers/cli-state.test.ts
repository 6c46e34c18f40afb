import test from 'ava';
import { fingerprintOf, SyncStates, type SyncIdentity } from '../../cli/sync/sync-state.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { present } from '../support/clock.ts';

test('the same file synced for two members is two syncs, each remembered by itself', (t) => {
  const states = new SyncStates(temporaryFolder('states'));
  const wish = { mode: 'merge', confirm: false, leftOut: 'keep' } as const;
  const same = { server: 'http://127.0.0.1', apiKey: 'sk_live_one', digest: 'd', ...wish };
  const of = (account: string | undefined): SyncIdentity => ({ ...same, account });
  const remember = (account: string | undefined, idempotencyKey: string): void => {
    const about = { server: same.server, key: fingerprintOf(same.apiKey), account, file: 'items.ndjson' };
    const startedAt = present().toISOString();
    states.begin(of(account), { ...about, startedAt, idempotencyKey, isDetached: false, isSuperseded: false });
  };
  remember('butik-1', 'one');
  t.is(states.find(of('butik-2')), undefined);
  remember('butik-2', 'two');
  remember(undefined, 'own');
  const known = ['butik-1', 'butik-2', undefined].map((account) => states.find(of(account))?.idempotencyKey);
  t.deepEqual(known, ['one', 'two', 'own']);
  t.is(states.find(of('butik-1'))?.isSuperseded, false, 'only the same member’s next sync supersedes it');
  states.forget(of('butik-1'));
  t.is(states.find(of('butik-2'))?.idempotencyKey, 'two');
});
