import test from 'ava';
import { startS3Server } from '../support/s3-server.ts';
import { imageCollectorConformance } from '../support/image-collector-conformance.ts';
import { startS3World } from '../support/start-s3-world.ts';

const server = await startS3Server();
test.after.always(() => server.close());
if (server.problem !== undefined)
  console.log(`skipped: the image collector on a real S3 server, because there is none: ${server.problem}`);

imageCollectorConformance(server.problem === undefined ? test.serial : test.skip, 'S3', () => startS3World(server));
