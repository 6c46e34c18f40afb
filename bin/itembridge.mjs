#!/usr/bin/env node
// `npx itembridge …`: runs the command line tool from its TypeScript source.
import { register } from 'tsx/esm/api';

register();
await import('./itembridge.ts');
