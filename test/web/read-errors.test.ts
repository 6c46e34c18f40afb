import test from 'ava';
import { readFirstErrors } from '../../web/dashboard/src/pages/bulk-sync/read-errors.ts';

const error = (line: number) => ({
  line,
  externalId: `A-${line}`,
  severity: 'error',
  status: 422,
  error: 'No',
  code: 'VALIDATION_FAILED',
});

function stream(chunks: readonly string[], onCancel = () => {}): ReadableStream<Uint8Array> {
  const rest = [...chunks];
  return new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        const chunk = rest.shift();
        if (chunk === undefined) controller.close();
        else controller.enqueue(new TextEncoder().encode(chunk));
      },
      cancel: onCancel,
    },
    { highWaterMark: 0 },
  );
}

test('errors are read across the borders of chunks; empty lines and what is no error are skipped', async (t) => {
  const text = `${JSON.stringify(error(1))}\n\n{"other":1}\n${JSON.stringify(error(2))}`;
  t.deepEqual(await readFirstErrors(stream([text.slice(0, 20), text.slice(20)]), 10), [error(1), error(2)]);
  t.deepEqual(await readFirstErrors(null, 10), []);
});

test('no more is fetched than is shown', async (t) => {
  let isCancelled = false;
  const endless = stream(
    Array.from({ length: 1_000 }, (_, line) => `${JSON.stringify(error(line + 1))}\n`),
    () => (isCancelled = true),
  );
  const errors = await readFirstErrors(endless, 3);
  t.is(errors.length, 3);
  t.true(isCancelled);
});
