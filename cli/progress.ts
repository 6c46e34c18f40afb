export type Phase = 'upload' | 'apply' | 'move';

export interface Progress {
  /** `done` and `total` are bytes of the upload, applied lines, or moved images. */
  update(phase: Phase, done: number, total: number): void;
  /** Prints a sentence between two updates; a bar's line is ended first. */
  say(text: string): void;
  end(): void;
}

export interface ProgressOptions {
  readonly output: { write(text: string): unknown; readonly isTTY?: boolean; readonly columns?: number };
  readonly now?: () => number;
}

interface Look {
  readonly at: number;
  readonly done: number;
}

/** The rate over the last ten seconds. */
class Speed {
  #looks: Look[] = [];

  add(look: Look): void {
    this.#looks = [...this.#looks.filter(({ at }) => at > look.at - 10_000), look];
  }

  perSecond(): number {
    const [first, last] = [this.#looks[0], this.#looks.at(-1)];
    if (first === undefined || last === undefined || last.at === first.at) return 0;
    return ((last.done - first.done) * 1_000) / (last.at - first.at);
  }
}

/** A bar at a terminal, JSON lines otherwise; without progress when `quiet`. */
export function createProgress({ output, now = Date.now }: ProgressOptions, quiet = false): Progress {
  if (quiet) return { update: () => undefined, say: (text) => output.write(`${text}\n`), end: () => undefined };
  const isTerminal = output.isTTY === true;
  const intervalMs = isTerminal ? 100 : 2_000;
  let phase: Phase | undefined;
  let speed = new Speed();
  let shownAt = -Infinity;
  const clear = (): void => {
    if (isTerminal && phase !== undefined) output.write('\r\u001B[2K');
  };
  return {
    update: (current, done, total) => {
      const isNew = current !== phase;
      if (isNew) speed = new Speed();
      const at = now();
      speed.add({ at, done });
      if (!isNew && done < total && at - shownAt < intervalMs) return;
      clear();
      phase = current;
      shownAt = at;
      const state = { phase: current, done, total, perSecond: speed.perSecond() };
      output.write(isTerminal ? barOf(state, output.columns ?? 80) : `${JSON.stringify(lineOf(state))}\n`);
    },
    say: (text) => {
      clear();
      output.write(`${text}\n`);
    },
    end: clear,
  };
}

interface State {
  readonly phase: Phase;
  readonly done: number;
  readonly total: number;
  readonly perSecond: number;
}

const units = { upload: 'bytes', apply: 'lines', move: 'images' } as const;
const titles = { upload: 'Uploading ', apply: 'Applying  ', move: 'Moving    ' } as const;

const secondsLeft = ({ done, total, perSecond }: State): number | null =>
  perSecond <= 0 ? null : Math.max(0, Math.ceil((total - done) / perSecond));

function lineOf(state: State): object {
  const { phase, done, total, perSecond } = state;
  const unit = units[phase];
  return { phase, unit, done, total, perSecond: Math.round(perSecond), secondsLeft: secondsLeft(state) };
}

function barOf(state: State, columns: number): string {
  const { phase, done, total, perSecond } = state;
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const left = secondsLeft(state);
  const amounts =
    phase === 'upload'
      ? `${megabytes(done)} of ${megabytes(total)} MB, ${megabytes(perSecond)} MB/s`
      : `${done} of ${total} ${units[phase]}, ${Math.round(perSecond)} a second`;
  const words = ` ${String(Math.floor(share * 100)).padStart(3)} %  ${amounts}${left === null || share === 1 ? '' : `, ${duration(left)} left`}`;
  const title = titles[phase];
  const width = Math.max(5, Math.min(30, columns - words.length - title.length - 3));
  const filled = Math.round(share * width);
  return `${title}[${'#'.repeat(filled)}${'-'.repeat(width - filled)}]${words}`.slice(0, columns - 1);
}

const megabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(1);

function duration(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
