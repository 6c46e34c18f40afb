#!/usr/bin/env node
// `npx itembridge …`: runs the command line tool from its TypeScript source.
import { useSupportedNode } from '../scripts/prepare.mjs';
import { runMain } from '../scripts/report-step.mjs';

await runMain(useSupportedNode);
const { register } = await import('tsx/esm/api');
register();
await import('./itembridge.ts');
