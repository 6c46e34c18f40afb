import { readFileSync } from 'node:fs';
import type { WorkflowBundle } from '@temporalio/worker';

/**
 * The workflow code as the run has built it, with one text replaced: a limit made small, or a change made on purpose.
 * Throws when the text is not there exactly once, so that no test goes on proving something about code that has moved on.
 */
export function changedBundle(from: string, to: string): WorkflowBundle {
  const parts = presentCode().split(from);
  if (parts.length !== 2) throw new Error(`the bundle has ${parts.length - 1} times: ${from}`);
  return { code: parts.join(to) };
}

function presentCode(): string {
  const path = process.env['TEST_WORKFLOW_BUNDLE'];
  if (path === undefined) throw new Error('TEST_WORKFLOW_BUNDLE is not set: run the tests by "npm test"');
  return readFileSync(path, 'utf8');
}
