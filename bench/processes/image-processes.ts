// The product's image processes alone: no item, no worker, no database. Each picture goes from its address to its two files.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createImageProcesses } from '../../gateways/image-process/image-processes.ts';
import type { ImagePlaces } from '../../gateways/image-process/port.ts';
import { serveParent, setting } from './serve-parent.ts';

const folder = mkdtempSync(join(tmpdir(), 'itembridge-bench-images-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const processes = createImageProcesses({
  allowPrivateNetworks: true,
  authoritiesFile: setting('NODE_EXTRA_CA_CERTS'),
});

const placesOf = (hash: string): Promise<ImagePlaces> =>
  Promise.resolve({ large: placeOf(hash, 'large'), thumb: placeOf(hash, 'thumb') });

const placeOf = (hash: string, size: string) => ({
  kind: 'file' as const,
  path: join(folder, hash, `${size}.jpg`),
  temporary: join(folder, `${hash}-${size}`),
});

async function hostAll(urls: readonly string[]): Promise<void> {
  const { signal } = new AbortController();
  await Promise.all(urls.map((url) => processes.host(url, { account: 'bench', signal, placesOf })));
}

serveParent({}, { host: (urls) => hostAll(urls as string[]) });
