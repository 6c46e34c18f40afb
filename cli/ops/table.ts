/** Rows under headings, in columns as wide as their widest cell; '' without rows. The last column may be long. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const lines = [headings, ...rows];
  const widths = headings.map((_heading, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) => line.map((cell, column) => (column === line.length - 1 ? cell : cell.padEnd(widths[column] ?? 0))))
    .map((line) => `  ${line.join('  ')}`.trimEnd())
    .join('\n');
}
