/** The text of a scrape, taken apart as Prometheus reads it. */
export interface Exposition {
  /** Name of the family → its type. */
  readonly families: Map<string, string>;
  /** Every series with its value: `name{label="value"}` → number. */
  readonly series: Map<string, number>;
}

const sample = /^([a-zA-Z_:][\w:]*)(\{.*\})? (\S+)( \d+)?$/;

/** Throws where Prometheus would refuse the text. */
export function readExposition(text: string): Exposition {
  const read: Exposition = { families: new Map(), series: new Map() };
  for (const line of text.split('\n')) {
    const type = /^# TYPE (\S+) (\S+)$/.exec(line);
    if (type !== null) takeFamily(read, type[1] ?? '', type[2] ?? '');
    else if (line !== '' && !line.startsWith('#')) takeSample(read, line);
  }
  return read;
}

function takeFamily({ families }: Exposition, name: string, kind: string): void {
  if (families.has(name)) throw new Error(`the family ${name} comes twice`);
  families.set(name, kind);
}

function takeSample({ families, series }: Exposition, line: string): void {
  const [, name = '', labels = '', value = ''] = sample.exec(line) ?? [];
  if (name === '') throw new Error(`no sample: ${line}`);
  if (series.has(name + labels)) throw new Error(`the series ${name}${labels} comes twice`);
  if (!families.has(name) && !families.has(familyOf(name))) throw new Error(`${name} has no type`);
  series.set(name + labels, Number(value.replace('Inf', 'Infinity')));
}

/** Of a histogram's or summary's sample. */
export const familyOf = (name: string): string => name.replace(/_(bucket|sum|count)$/, '');
