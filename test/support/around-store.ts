import type { ClientSession, Connection, mongo } from 'mongoose';
import type { StoreConnection } from '../../platform/database/connection.ts';

/** Runs at each step of a process, instead of it: `take` takes the step. What it throws is what the process sees of the step. */
export type Around = <Result>(step: string, take: () => Promise<Result>) => Promise<Result>;

const writes = [
  ...['insertOne', 'insertMany', 'updateOne', 'updateMany', 'bulkWrite', 'findOneAndUpdate'],
  ...['deleteOne', 'deleteMany'],
];

/**
 * The same database for a process whose writes are steps: `updateMany deliveries`, `commit`, and `transaction` for the whole of one.
 * What is thrown at a step in a transaction undoes it, as the server does for a process that has died.
 */
export function aroundStore(store: StoreConnection, around: Around): StoreConnection {
  const collectionOf = (collection: Bare): Bare =>
    standIn(collection, (name, given) =>
      writes.includes(name)
        ? (...values: unknown[]) => around(`${name} ${collection.collectionName}`, async () => given(...values))
        : undefined,
    );
  const modelOf = (model: { readonly collection: Bare }): object =>
    standIn(model, (name) =>
      name === 'collection' || name === '$__collection' ? collectionOf(model.collection) : undefined,
    );
  const startSession = async (...given: Parameters<Connection['startSession']>): Promise<ClientSession> =>
    aroundSession(await store.connection.startSession(...given), around);
  const instead: Readonly<Record<string, unknown>> = {
    startSession,
    collection: (name: string) => collectionOf(store.connection.collection(name)),
    model: (...given: Parameters<Connection['model']>) => modelOf(store.connection.model(...given) as never),
    models: new Proxy(store.connection.models, {
      get: (models, name) => {
        const model: unknown = Reflect.get(models, name);
        return model === undefined ? undefined : modelOf(model as never);
      },
    }),
  };
  const connection = standIn(store.connection, (name) => instead[name]);
  return { ...store, connection };
}

type Bare = Pick<mongo.Collection, 'collectionName'>;

/** The same object, but for what `instead` gives for a name. `given` calls the object's own. */
function standIn<Of extends object>(
  of: Of,
  instead: (name: string, given: (...values: unknown[]) => unknown) => unknown,
): Of {
  return new Proxy(of, {
    get: (target, name) => {
      const own: unknown = Reflect.get(target, name, target);
      const given = (...values: unknown[]): unknown => Reflect.apply(own as () => unknown, target, values);
      return (typeof name === 'string' && instead(name, given)) || own;
    },
  });
}

function aroundSession(session: ClientSession, around: Around): ClientSession {
  const withTransaction = session.withTransaction.bind(session);
  const commitTransaction = session.commitTransaction.bind(session);
  session.withTransaction = (work, options) => around('transaction', () => withTransaction(work, options));
  session.commitTransaction = () => around('commit', commitTransaction);
  return session;
}

export class Died extends Error {}

export interface Mortal {
  readonly around: Around;
  /** The steps that were taken, in order. */
  readonly steps: readonly string[];
  /** Resolves when the process has died. */
  readonly died: Promise<void>;
}

/** A process dies before or after the step for which `dies` says so: it takes no further one. */
export function createMortal(dies: (step: string, nth: number) => 'before' | 'after' | undefined): Mortal {
  const steps: string[] = [];
  let isDead = false;
  let die = (): void => undefined;
  const died = new Promise<void>((resolve) => {
    die = resolve;
  });
  const end = (): never => {
    isDead = true;
    die();
    throw new Died();
  };
  return {
    steps,
    died,
    around: async (step, take) => {
      if (isDead) return new Promise<never>(() => undefined);
      const nth = steps.push(step);
      const when = dies(step, nth);
      if (when === 'before') end();
      const result = await take();
      if (when === 'after') end();
      return result;
    },
  };
}
