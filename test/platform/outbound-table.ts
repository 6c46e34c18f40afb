import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { refusedCases, type OutboundCase } from '../support/outbound-cases.ts';

export const page = fileURLToPath(new URL('../../docs/evidence/security-outbound.md', import.meta.url));

const begin = '<!-- begin of the table that `node --import=tsx test/platform/write-outbound-table.ts` writes -->';
const end = '<!-- end of the table -->';

/** The page with the table as the cases of the tests have it. */
export async function pageAsItShouldBe(): Promise<string> {
  const text = await readFile(page, 'utf8');
  const [before, rest] = text.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`${page} has no place for the table`);
  return `${before}${begin}\n${outboundTable()}\n${end}${after}`;
}

/** One row for all addresses of a group that fare the same. */
export function outboundTable(): string {
  const rows = new Map<string, { cells: readonly string[]; tried: string[] }>();
  for (const one of refusedCases) {
    const cells = [one.group, one.whenRegistered, one.whenConnecting, one.withPrivateNetworks];
    const row = rows.get(cells.join('|')) ?? { cells, tried: [] };
    row.tried.push(`\`${triedIn(one)}\``);
    rows.set(cells.join('|'), row);
  }
  return [
    '| what | tried | when registered | when a delivery is tried all the same | with private networks allowed |',
    '|---|---|---|---|---|',
    ...[...rows.values()].map(({ cells: [group, ...outcome], tried }) =>
      ['', group, tried.join(' '), ...outcome, ''].join(' | ').trim(),
    ),
  ].join('\n');
}

function triedIn({ url, resolvesTo }: OutboundCase): string {
  const isName = url === 'https://partner.example/';
  if (isName && resolvesTo !== undefined) return resolvesTo.length === 0 ? 'no address' : resolvesTo.join(' + ');
  return url.startsWith('https://') ? url.slice('https://'.length, -1) : url;
}
