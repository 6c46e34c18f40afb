/** What a person sees in the terminal: one line per step; the progress line is rewritten in place where that works. */
export interface Reporter {
  say(line: string): void;
  /** Replaces the progress line before it; the same text again is not repeated. */
  progress(line: string): void;
  /** Something to look at; shown with `--quiet` too. */
  warn(line: string): void;
}

export function consoleReporter(options: { quiet: boolean; output: NodeJS.WriteStream }): Reporter {
  const { quiet, output } = options;
  let progressShown = '';
  const endProgress = (): void => {
    if (progressShown !== '' && output.isTTY) output.write('\n');
    progressShown = '';
  };
  const line = (text: string): void => {
    endProgress();
    output.write(`${text}\n`);
  };
  return {
    say: (text) => {
      if (!quiet) line(text);
    },
    progress: (text) => {
      if (quiet || text === progressShown) return;
      output.write(output.isTTY ? `\r\x1b[2K${text}` : `${text}\n`);
      progressShown = text;
    },
    warn: line,
  };
}
