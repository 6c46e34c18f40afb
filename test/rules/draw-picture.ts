import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { format, type ICruiseResult } from 'dependency-cruiser';

import { repositoryRoot } from './source-files.ts';

const folders =
  'api|cli|web|client|usecases|schemas|core|store|dispatch|workflows|activities|workers|gateways|security|platform|compose|embedded|simulators';

/** Which top-level folder imports which, as the rule tool sees it, in Mermaid's notation. */
async function drawPicture(result: ICruiseResult): Promise<string> {
  const options = { outputType: 'mermaid', includeOnly: `^(${folders})/`, collapse: '^[^/]+' } as const;
  // The tool's check of its own result knows no `required` rules; the picture needs none.
  const drawn: ICruiseResult = {
    ...structuredClone(result),
    summary: { ...result.summary, ruleSetUsed: {}, violations: [] },
  };
  const { output } = await format(drawn, options);
  if (typeof output !== 'string') throw new Error('the reporter gave no text');
  // The reporter numbers the folders; with their names instead, a new folder doesn't change every line.
  const names = new Map([...output.matchAll(/^(\w+)\["([^"]+)"\]$/gm)].map(([, id = '', name = '']) => [id, name]));
  const edges = [...output.matchAll(/^(\w+)-->(\w+)$/gm)].map(([, from = '', to = '']) => [from, to] as const);
  const lines = edges.map(([from, to]) => `  ${names.get(from) ?? from} --> ${names.get(to) ?? to}`).sort();
  return `${['flowchart LR', ...lines].join('\n')}\n`;
}

/** The files that hold the picture, with the text that they should have now. */
export async function picturesAsTheyShouldBe(
  result: ICruiseResult,
): Promise<{ path: string; now: string; fresh: string }[]> {
  const picture = await drawPicture(result);
  const [graph, page] = await Promise.all([read('docs/dependency-graph.mmd'), read('docs/architecture.md')]);
  return [
    { path: 'docs/dependency-graph.mmd', now: graph, fresh: picture },
    {
      path: 'docs/architecture.md',
      now: page,
      fresh: page.replace(/```mermaid\n[^`]*```/, `\`\`\`mermaid\n${picture}\`\`\``),
    },
  ];
}

const read = (path: string): Promise<string> => readFile(join(repositoryRoot, path), 'utf8').catch(() => '');
