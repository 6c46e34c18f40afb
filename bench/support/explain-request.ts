import type { StoreConnection } from '../../platform/database/connection.ts';

interface Profiled {
  readonly op: string;
  readonly ns: string;
  readonly planSummary?: string;
  readonly keysExamined?: number;
  readonly docsExamined?: number;
  readonly nreturned?: number;
  readonly millis: number;
}

/** What the database does meanwhile, as its profiler tells it: one line for each operation on one of the product's collections. */
export async function explainRequest(
  { connection }: StoreConnection,
  request: () => Promise<unknown>,
): Promise<string[]> {
  const { db } = connection;
  if (db === undefined) throw new Error('the database is not open');
  await db.command({ profile: 2 });
  await request();
  await db.command({ profile: 0 });
  const profile = db.collection<Profiled>('system.profile');
  const found = await profile.find({ ns: { $not: /system\.|\.\$cmd/ } }).toArray();
  await profile.drop();
  return found.map((one) => {
    const { op, ns, planSummary = '', keysExamined = 0, docsExamined = 0, nreturned = 0, millis } = one;
    const collection = ns.slice(ns.indexOf('.') + 1);
    // One index is named once for each of the points that are merged.
    const plans = [...new Set(planSummary.split(/, (?=[A-Z]+ )/))].join(', ');
    return `${op} ${collection} ${plans}: keys ${keysExamined}, documents ${docsExamined}, returned ${nreturned}, ${millis} ms`;
  });
}
