/** What one input came to. */
export type Outcome = '2xx' | '3xx' | '4xx' | '5xx' | 'closed' | 'hosted' | 'refused';

export interface Finding {
  readonly kind: string;
  readonly what: string;
  /** The command that makes the input again. */
  readonly repeat: string;
}

type Counts = Record<Outcome | 'inputs' | 'findings', number>;

/** Counts what came of the inputs of each kind, and keeps what should not have been. */
export class Tally {
  readonly findings: Finding[] = [];
  readonly #kinds = new Map<string, Counts>();

  count(kind: string, outcome: Outcome, times = 1): void {
    const counts = this.#of(kind);
    counts.inputs += times;
    counts[outcome] += times;
  }

  find(finding: Finding): void {
    this.#of(finding.kind).findings += 1;
    console.error(`  ✗ ${finding.kind}: ${finding.what.slice(0, 500)}`);
    this.findings.push(finding);
  }

  get inputs(): number {
    return [...this.#kinds.values()].reduce((sum, { inputs }) => sum + inputs, 0);
  }

  /** As a Markdown table, with a row for the sum. */
  table(): string {
    const rows = [...this.#kinds].map(([kind, counts]) => [kind, ...columns.map((column) => counts[column])]);
    const sums = columns.map((column) => [...this.#kinds.values()].reduce((sum, counts) => sum + counts[column], 0));
    const lines = [['kind', ...columns.map((column) => titles[column])], ...rows, ['**all**', ...sums]];
    const [head = '', ...rest] = lines.map((cells) => `| ${cells.join(' | ')} |`);
    return [head, `| --- | ${columns.map(() => '---:').join(' | ')} |`, ...rest].join('\n');
  }

  #of(kind: string): Counts {
    const known = this.#kinds.get(kind);
    if (known !== undefined) return known;
    const counts = { inputs: 0, '2xx': 0, '3xx': 0, '4xx': 0, '5xx': 0, closed: 0, hosted: 0, refused: 0, findings: 0 };
    this.#kinds.set(kind, counts);
    return counts;
  }
}

const columns = ['inputs', '2xx', '3xx', '4xx', 'closed', 'hosted', 'refused', '5xx', 'findings'] as const;
const titles: Readonly<Record<(typeof columns)[number], string>> = {
  inputs: 'inputs',
  '2xx': '2xx',
  '3xx': '3xx',
  '4xx': '4xx',
  '5xx': '5xx',
  findings: 'findings',
  closed: 'connection closed',
  hosted: 'image hosted',
  refused: 'image refused',
};
