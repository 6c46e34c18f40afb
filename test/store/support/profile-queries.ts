import type { StoreConnection } from '../../../store/database/connection.ts';

/** What MongoDB says of one query that it ran. */
export interface ProfiledQuery {
  readonly ns: string;
  readonly planSummary?: string;
  readonly docsExamined: number;
  readonly keysExamined: number;
  readonly hasSortStage?: boolean;
}

/** Every `find`, or every `aggregate`, that `work` makes in this database. */
export async function profileQueries(
  store: StoreConnection,
  work: () => Promise<unknown>,
  kind: 'find' | 'aggregate' = 'find',
): Promise<ProfiledQuery[]> {
  const database = store.connection.db;
  if (database === undefined) throw new Error('not connected');
  await database.command({ profile: 0 });
  await database.dropCollection('system.profile').catch(() => undefined);
  await database.command({ profile: 2 });
  await work();
  await database.command({ profile: 0 });
  const profile = database.collection<ProfiledQuery>('system.profile');
  return profile.find({ ns: { $not: /system/ }, [`command.${kind}`]: { $exists: true } }).toArray();
}
