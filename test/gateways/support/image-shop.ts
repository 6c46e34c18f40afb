import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createImageProcesses } from '../../../gateways/image-process/image-processes.ts';
import type { ImagePlaces } from '../../../gateways/image-process/port.ts';
import { createDiskImageStore } from '../../../gateways/image-store/disk-image-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { localCertificate, startHttps } from './local-server.ts';

const never = new AbortController().signal;

/** A shop's image server with one image, and real image processes that host it in a folder. */
export async function openImageShop(image: Buffer) {
  const { authority } = await localCertificate();
  const folder = temporaryFolder('shop');
  const authoritiesFile = join(folder, 'authority.pem');
  writeFileSync(authoritiesFile, authority.pem);
  const server = await startHttps((_request, response) => response.end(image));
  const processes = createImageProcesses({ allowPrivateNetworks: true, authoritiesFile });
  const store = createDiskImageStore(join(folder, 'images'));
  let hosted = 0;
  return {
    url: server.url,
    /** Returns the two files. */
    host: async (account: string, url = server.url): Promise<{ large: Buffer; thumb: Buffer }> => {
      const key = (size: string): string => `${account}/${hosted}/${size}.jpg`;
      hosted += 1;
      const keys = { large: key('large'), thumb: key('thumb') };
      const placesOf = async (): Promise<ImagePlaces> => ({
        large: await store.place(keys.large),
        thumb: await store.place(keys.thumb),
      });
      await processes.host(url, { account, signal: never, placesOf });
      return { large: await store.read(keys.large), thumb: await store.read(keys.thumb) };
    },
    close: async (): Promise<void> => {
      await Promise.all([processes.close(), server.close()]);
    },
  };
}
