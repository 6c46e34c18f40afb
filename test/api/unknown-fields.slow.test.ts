import { randomUUID } from 'node:crypto';
import test from 'ava';
import { routes } from '../../api/routes.ts';
import { withApiWorld } from '../support/api-world.ts';
import { consentingLogin } from '../support/consenting-login.ts';
import { strangerBodies } from '../support/stranger-bodies.ts';
import { writeExamples } from '../support/write-examples.ts';

const world = withApiWorld(test, { sendsMail: true, replace: () => ({ login: consentingLogin }) });
const examples = writeExamples(world);

const ofStrangers: Readonly<Record<string, object>> = strangerBodies({
  email: 'new@example.se',
  password: 'correct horse battery',
});
const notAsked: Readonly<Record<string, string>> = {
  'post /stripe/webhook': 'takes only what the payment processor has signed',
  'post /integration/v1/sandbox/items/{external_id}/sell': 'goes to the simulated marketplace, which is not here',
};

/** The collections in which a document has the word. */
async function collectionsWith(word: string): Promise<string[]> {
  const { db } = world().store.connection;
  const names = (await db?.listCollections({}, { nameOnly: true }).toArray()) ?? [];
  const found = await Promise.all(
    names.map(async ({ name }) => {
      const rows = await db?.collection(name).find({}).toArray();
      return JSON.stringify(rows).includes(word) ? [name] : [];
    }),
  );
  return found.flat();
}

for (const { method, path, request } of routes) {
  const name = `${method} ${path}`;
  if (request === undefined || notAsked[name] !== undefined) continue;
  test.serial(`${name}: a field that its body does not know is not stored`, async (t) => {
    const body = ofStrangers[name];
    const example = body === undefined ? examples[name] : { call: async () => ({ path, body }) };
    if (example === undefined) return t.fail('a route that takes a body needs an example');
    const { path: called, ...options } = await example.call(await world().account());
    const [field, value] = [`field-${randomUUID()}`, `value-${randomUUID()}`];
    const sent = { ...(options.body as object | undefined), [field]: value };
    const { status, text } = await world().call(method.toUpperCase(), called, { ...options, body: sent });
    t.true(status < 300 || status === 400 || status === 422, text);
    t.deepEqual(await collectionsWith(value), []);
    // The log of calls names refused fields, and a bulk sync those of its lines that were ignored.
    const naming = await collectionsWith(field);
    t.deepEqual(
      naming.filter((one) => one !== 'request_log' && one !== 'bulk_chunks'),
      [],
    );
  });
}
