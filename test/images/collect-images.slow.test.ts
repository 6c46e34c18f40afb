import test from 'ava';
import { startImageWorld } from '../support/image-world.ts';
import { imageCollectorConformance } from '../support/image-collector-conformance.ts';

imageCollectorConformance(test.serial, 'disk', () => startImageWorld());
