import { Crash, intercept, type ImagePorts } from './image-world.ts';

/** Processes that run one port call at a time, in an order that a seed decides; some of them die on the way. */
export interface Schedule {
  /** `body` gets ports whose every call waits for its turn. A {@link Crash} ends the process. */
  start(body: (ports: ImagePorts) => Promise<unknown>): void;
  /** Runs until every process has come to its end. `between` runs ahead of each turn. */
  run(options: { crashes: boolean; between?: () => Promise<void> }): Promise<void>;
}

interface Process {
  isDead: boolean;
}

interface Turn {
  readonly process: Process;
  readonly take: (crash: boolean) => void;
}

export function createSchedule(ports: ImagePorts, random: () => number): Schedule {
  const waiting: Turn[] = [];
  const problems: unknown[] = [];
  let running = 0;
  const turn = (process: Process): Promise<void> =>
    new Promise((resolve, reject) => {
      const take = (crash: boolean): void => {
        process.isDead ||= crash;
        if (process.isDead) reject(new Crash('died'));
        else resolve();
      };
      waiting.push({ process, take });
    });
  const scheduled = <Port extends object>(port: Port, process: Process): Port => intercept(port, () => turn(process));
  return {
    start: (body) => {
      const process = { isDead: false };
      running += 1;
      body({
        items: scheduled(ports.items, process),
        imageRecords: scheduled(ports.imageRecords, process),
        imageClaims: scheduled(ports.imageClaims, process),
        imageStore: scheduled(ports.imageStore, process),
        whyNoRoom: ports.whyNoRoom,
        pause: async (...parameters) => {
          await turn(process);
          await ports.pause(...parameters);
        },
      })
        .catch((error: unknown) => {
          if (!(error instanceof Crash)) problems.push(error);
        })
        .finally(() => {
          running -= 1;
        });
    },
    run: async ({ crashes, between }) => {
      while (running > 0) {
        await rest();
        await between?.();
        const [next] = waiting.splice(Math.floor(random() * waiting.length), 1);
        next?.take(crashes && random() < 0.02);
      }
      if (problems.length > 0) throw problems[0];
    },
  };
}

/** Lets the call that was released, and what it leads to, run; a call that takes longer simply goes on beside the next one. */
const rest = async (): Promise<void> => {
  for (let n = 0; n < 3; n += 1) await new Promise((resolve) => setImmediate(resolve));
};
