import type { StoreConnection } from '../../platform/database/connection.ts';

/** The process that used a store is gone: thrown in its place. */
export class Died extends Error {}

/**
 * The same store for a process that dies before the `diesAt`-th command of a transaction (from 0), or before its commit when it has
 * fewer: MongoDB aborts what was open, as it does when the session of a dead process ends.
 */
export function dyingStore(store: StoreConnection, diesAt: number): StoreConnection {
  const startSession: typeof store.connection.startSession = async (...options) => {
    const session = await store.connection.startSession(...options);
    const original = session.withTransaction.bind(session);
    let commands = 0;
    let isDead = false;
    const die = (): never => {
      isDead = true;
      throw new Died();
    };
    const step = (): void => {
      if (isDead) return;
      if (commands === diesAt) die();
      commands += 1;
    };
    const { serverSession } = session as unknown as { readonly serverSession: object };
    // The driver asks for the session's id with each command.
    Object.defineProperty(session, 'serverSession', {
      get: () => {
        if (session.inTransaction()) step();
        return serverSession;
      },
    });
    session.withTransaction = async (work, settings) => {
      try {
        return await original(async (given) => {
          await work(given);
          return die();
        }, settings);
      } catch (error) {
        // The driver may have wrapped it.
        throw isDead ? new Died() : error;
      }
    };
    return session;
  };
  const connection = new Proxy(store.connection, {
    get: (target, name) => (name === 'startSession' ? startSession : (Reflect.get(target, name) as unknown)),
  });
  return { ...store, connection };
}
