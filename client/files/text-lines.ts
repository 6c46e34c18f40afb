export interface TextLine {
  /** From 1; empty lines count. */
  readonly line: number;
  readonly text: string;
}

/** The lines of a text without their ends, in flat memory but for the longest line. A CR before a LF is no part of one. */
export async function* textLines(chunks: AsyncIterable<string>, newline: '\n' | '\r'): AsyncGenerator<TextLine, void> {
  let line = 0;
  let rest = '';
  for await (const chunk of chunks) {
    const parts = (rest + chunk).split(newline);
    rest = parts.pop() ?? '';
    for (const text of parts) yield { line: (line += 1), text: text.replace(/\r$/, '') };
  }
  if (rest !== '') yield { line: line + 1, text: rest.replace(/\r$/, '') };
}
