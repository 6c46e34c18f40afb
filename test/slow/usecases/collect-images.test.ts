import test from 'ava';
import { startImageWorld } from '../../usecases/support/image-world.ts';
import { imageCollectorConformance } from './support/image-collector-conformance.ts';

imageCollectorConformance(test.serial, 'disk', () => startImageWorld());
