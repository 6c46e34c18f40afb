import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, get } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { ensureCertificates } from '../../embedded/certificates.ts';

const newFolder = (): string => mkdtempSync(join(process.env['TEST_DIRECTORY'] ?? tmpdir(), 'itembridge-tls-'));

test('who trusts the authority reaches https://localhost and https://127.0.0.1', async (t) => {
  const { caFile, keyFile, certificateFile } = await ensureCertificates(newFolder(), undefined);
  const server = createServer(
    { key: readFileSync(keyFile), cert: readFileSync(certificateFile) },
    (_request, response) => response.end('hello'),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const { port } = server.address() as AddressInfo;

  const statusOf = (host: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      get(`https://${host}:${String(port)}`, { ca: readFileSync(caFile), agent: false, family: 4 }, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).on('error', reject);
    });

  t.is(await statusOf('localhost'), 200);
  t.is(await statusOf('127.0.0.1'), 200);
});

test('certificates are kept between starts, and made anew when one of them is gone', async (t) => {
  const folder = newFolder();
  const { caFile, keyFile } = await ensureCertificates(folder, undefined);
  const first = readFileSync(caFile, 'utf8');
  await ensureCertificates(folder, undefined);
  t.is(readFileSync(caFile, 'utf8'), first);
  t.is(statSync(keyFile).mode & 0o777, 0o600);

  rmSync(keyFile);
  await ensureCertificates(folder, undefined);
  t.not(readFileSync(caFile, 'utf8'), first);
});

test("the children's bundle holds our authority and the user's own", async (t) => {
  const folder = newFolder();
  const extra = join(folder, 'extra.pem');
  writeFileSync(extra, "the user's authority\n");
  const { caFile, bundleFile } = await ensureCertificates(folder, extra);
  const bundle = readFileSync(bundleFile, 'utf8');
  t.true(bundle.includes(readFileSync(caFile, 'utf8').trim()));
  t.true(bundle.includes("the user's authority"));
});
