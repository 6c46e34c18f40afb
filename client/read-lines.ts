export interface NumberedLine {
  /** From 1; empty lines count. */
  readonly number: number;
  readonly text: string;
}

/** The lines of a UTF-8 stream without their line ends, one at a time. Memory grows only with the longest line. */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<NumberedLine, void> {
  const decoder = new TextDecoder();
  let number = 0;
  let rest = '';
  for await (const chunk of chunks) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = parts.pop() ?? '';
    for (const text of parts) yield { number: (number += 1), text: text.replace(/\r$/, '') };
  }
  rest += decoder.decode();
  if (rest !== '') yield { number: number + 1, text: rest.replace(/\r$/, '') };
}
