import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import test from 'ava';
import { loadImageStoreConfig } from '../../compose/config.ts';
import { ConfigError } from '../../compose/read-settings.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const bucket = { IMAGE_STORE: 's3', S3_BUCKET: 'images', S3_ENDPOINT: 'https://s3.example/', S3_REGION: 'eu-north-1' };
const keys = { S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' };

test('images are files until a bucket is named', (t) => {
  const settings = loadImageStoreConfig({ IMAGE_STORE_DIR: 'pictures', S3_ACCESS_KEY_ID_FILE: '/nowhere/id' });
  t.like(settings, { kind: 'disk', directory: resolve('pictures'), formerDirectory: '' });
});

test('a bucket has an address, a region and keys, which may be files', (t) => {
  const file = join(temporaryFolder('secrets'), 'key');
  writeFileSync(file, 'from a file\n');
  const { kind, s3 } = loadImageStoreConfig({ ...bucket, ...keys, S3_SECRET_ACCESS_KEY_FILE: file });
  t.is(kind, 's3');
  t.deepEqual(s3, {
    endpoint: 'https://s3.example',
    region: 'eu-north-1',
    bucket: 'images',
    credentials: { accessKeyId: 'id', secretAccessKey: 'from a file' },
  });
});

test('without keys the bucket is reached with the role of the machine', (t) => {
  t.is(loadImageStoreConfig(bucket).s3.credentials, null);
});

for (const [name, settings, toSet] of [
  ['no bucket', { IMAGE_STORE: 's3' }, /S3_BUCKET \(or S3_BUCKET_FILE\) is missing/],
  [
    'half of the keys',
    { ...bucket, S3_ACCESS_KEY_ID: 'id' },
    /S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are given both/,
  ],
  ['an address that is none', { ...bucket, S3_ENDPOINT: 's3.example' }, /S3_ENDPOINT must be an http or https address/],
  ['another kind of store', { IMAGE_STORE: 'ftp' }, /IMAGE_STORE must be disk or s3/],
] as const)
  test(`refused at the start, with the setting to change: ${name}`, (t) => {
    const error = t.throws(() => loadImageStoreConfig(settings), { instanceOf: ConfigError });
    t.regex(error.message, toSet);
  });
