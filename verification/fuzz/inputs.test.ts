import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import test from 'ava';
import { requestBytes } from './http/input.ts';
import { countPlaces, mapPlace, raw, toJsonText, writeJsonText } from './http/json-text.ts';
import { mutateJson } from './http/mutate-json.ts';
import { rawCall } from './support/raw-call.ts';
import { Seeded } from './support/seeded.ts';

const example = { title: 'Dörr', price: 100, imageUrls: [], domain: { part: { name: 'a' }, tags: ['b', 'c'] } };

test('JSON as text is the JSON it was made of', (t) => {
  t.deepEqual(JSON.parse(writeJsonText(toJsonText(example))), example);
});

test('each place of a body can be changed, and each once', (t) => {
  const json = toJsonText(example);
  const texts = Array.from({ length: countPlaces(json) }, (_, place) =>
    writeJsonText(mapPlace(json, place, () => raw('"changed"'))),
  );
  t.is(new Set(texts).size, countPlaces(json));
  for (const text of texts) t.is(text.split('"changed"').length, 2, text);
});

test('the same seed and number make the same input again, others make others', (t) => {
  const json = toJsonText(example);
  const texts = Array.from({ length: 50 }, (_, number) => mutateJson(json, new Seeded(1, number)));
  t.deepEqual(
    texts,
    texts.map((_, number) => mutateJson(json, new Seeded(1, number))),
  );
  t.true(new Set(texts).size > 40);
  t.not(mutateJson(json, new Seeded(1, 7)), mutateJson(json, new Seeded(2, 7)));
});

test('a call sends its bytes as they are and reads the answer to its end', async (t) => {
  let received = '';
  const server = createServer((socket) => {
    socket.on('data', (part) => {
      received += part.toString();
      if (!received.endsWith('{"a":1e400}')) return;
      socket.write('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 422 No\r\nContent-Length: 4\r\n\r\nno');
      setTimeout(() => socket.write('pe'), 20);
    });
    socket.on('error', () => undefined);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const answer = await rawCall(url, requestBytes({ method: 'PUT', path: '/a%', body: '{"a":1e400}' }));
  t.like(answer, { status: 422, text: 'nope', answers: 1, isTimeout: false });
  t.regex(received, /^PUT \/a% HTTP\/1\.1\r\n/);
  t.regex(received, /Content-Length: 11\r\n/);
  const silent = await rawCall(url, Buffer.from('GET'), { timeoutMs: 50 });
  t.like(silent, { status: undefined, isTimeout: true });
  server.close();
});
