import type { StoreConnection } from '../../platform/database/connection.ts';

/** What MongoDB says of one query that it ran. */
export interface ProfiledQuery {
  readonly ns: string;
  readonly op: string;
  readonly planSummary?: string;
  readonly docsExamined: number;
  readonly keysExamined: number;
  readonly hasSortStage?: boolean;
  readonly command: Readonly<Record<string, unknown>>;
}

/** Every `find`, every `aggregate`, or all that has a plan, that `work` makes in this database. */
export async function profileQueries(
  store: StoreConnection,
  work: () => Promise<unknown>,
  kind: 'find' | 'aggregate' | 'any' = 'find',
): Promise<ProfiledQuery[]> {
  const database = store.connection.db;
  if (database === undefined) throw new Error('not connected');
  await database.command({ profile: 0 });
  await database.dropCollection('system.profile').catch(() => undefined);
  await database.command({ profile: 2 });
  await work();
  await database.command({ profile: 0 });
  const profile = database.collection<ProfiledQuery>('system.profile');
  const wanted = kind === 'any' ? 'planSummary' : `command.${kind}`;
  return profile.find({ ns: { $not: /system/ }, [wanted]: { $exists: true } }).toArray();
}
