import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { S3Settings } from '../../gateways/image-store/s3-image-store.ts';
import { startGoServer } from './go-server.ts';
import { temporaryFolder } from './temporary-folder.ts';

export interface S3Server {
  /** Why there is none. Tests then say so and are left out. */
  readonly problem: string | undefined;
  /** Settings of a new bucket, and the folder in which its objects lie as files. */
  bucket(name: string): Promise<{ readonly settings: S3Settings; readonly folder: string }>;
  /** Settings of a bucket that does not exist. */
  readonly noBucket: S3Settings;
  close(): Promise<void>;
}

/**
 * A real S3 server of the test's own: versitygw over a folder. What S3 keeps of an object beside its bytes lies in a second folder,
 * because not every file system has extended attributes.
 */
export async function startS3Server(): Promise<S3Server> {
  const [data, facts] = [temporaryFolder('s3'), temporaryFolder('s3-facts')];
  const credentials = { accessKeyId: 'test-key', secretAccessKey: 'test-secret' };
  const server = await startGoServer({
    binary: process.env['TEST_VERSITYGW_BIN'],
    problem: process.env['TEST_VERSITYGW_PROBLEM'],
    args: (address) => ['--port', address, '--keep-alive', '--quiet', 'posix', '--sidecar', facts, data],
    environment: { ROOT_ACCESS_KEY_ID: credentials.accessKeyId, ROOT_SECRET_ACCESS_KEY: credentials.secretAccessKey },
  });
  const endpoint = server.problem === undefined ? server.url : 'http://127.0.0.1:9';
  const settingsOf = (bucket: string): S3Settings => ({ endpoint, region: 'us-east-1', bucket, credentials });
  return {
    problem: server.problem,
    bucket: async (name) => {
      const folder = join(data, name);
      await mkdir(folder);
      return { settings: settingsOf(name), folder };
    },
    noBucket: settingsOf('no-such-bucket'),
    close: async () => {
      if (server.problem === undefined) await server.close();
    },
  };
}
