import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, type WorkflowBundle } from '@temporalio/worker';

/** Path in the sources or in the compiled files. */
const workflowFile = (name: string): string =>
  fileURLToPath(new URL(`../workflows/${name}${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url));

/** Bundles the workflow code, about 3 s. Fails when it reaches a Node module or the database: the second fence around `workflows/`. */
export const buildWorkflowBundle = (): Promise<WorkflowBundle> =>
  bundleWorkflowCode({
    workflowsPath: workflowFile('index'),
    workflowInterceptorModules: [workflowFile('forward-trace')],
  });

/** `node workers/build-workflow-bundle.ts FILE` writes the bundle for `WORKFLOW_BUNDLE`. */
async function main(file: string): Promise<void> {
  const { code } = await buildWorkflowBundle();
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, code);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , file] = process.argv;
  if (file === undefined) throw new Error('say where to write the bundle');
  await main(file);
}
