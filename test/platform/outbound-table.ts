import { refusedCases, type OutboundCase } from '../support/outbound-cases.ts';

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
