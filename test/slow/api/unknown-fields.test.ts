import { randomUUID } from 'node:crypto';
import test from 'ava';
import { routes } from '../../../api/routes.ts';
import { withApiWorld } from '../../support/api-world.ts';
import { writeExamples } from '../../support/write-examples.ts';

const world = withApiWorld(test, { sendsMail: true });
const examples = writeExamples(world);

/** The log of calls names refused fields, and an upload is kept as it came until its lines are read. */
const asSent = new Set(['request_log', 'bulk_chunks']);

/** The other collections in which a document has the word. */
async function collectionsWith(word: string): Promise<string[]> {
  const { db } = world().store.connection;
  const names = (await db?.listCollections({}, { nameOnly: true }).toArray()) ?? [];
  const found = await Promise.all(
    names
      .filter(({ name }) => !asSent.has(name))
      .map(async ({ name }) => {
        const rows = await db?.collection(name).find({}).toArray();
        return JSON.stringify(rows).includes(word) ? [name] : [];
      }),
  );
  return found.flat();
}

for (const { method, path, request } of routes) {
  const name = `${method} ${path}`;
  const example = examples[name];
  if (request === undefined || example === undefined) continue;
  test.serial(`${name}: a field that its body does not know is not stored`, async (t) => {
    const { path: called, ...options } = await example.call(await world().account());
    const [field, value] = [`field-${randomUUID()}`, `value-${randomUUID()}`];
    const body = { ...(options.body as object | undefined), [field]: value };
    const reply = await world().call(method.toUpperCase(), called, { ...options, body });
    t.true(reply.status < 500, reply.text);
    t.deepEqual([await collectionsWith(field), await collectionsWith(value)], [[], []]);
  });
}
