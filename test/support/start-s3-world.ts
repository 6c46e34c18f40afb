import { randomUUID } from 'node:crypto';
import { createS3ImageStore } from '../../gateways/image-store/s3-image-store.ts';
import type { S3Server } from './s3-server.ts';
import { startImageWorld, type ImageWorld } from './image-world.ts';

/** A world whose images are in a bucket of its own. */
export async function startS3World(server: S3Server): Promise<ImageWorld> {
  const { settings, folder } = await server.bucket(randomUUID());
  return startImageWorld(undefined, { imageStore: createS3ImageStore(settings), folder });
}
