import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

interface Reply {
  readonly id: number;
  readonly answer: unknown;
}

const endTimeoutMs = 10_000;

class ProcessEnded extends Error {
  override readonly name = 'ProcessEnded';
}

/** A process of the benchmark's own that answers questions; the other end is processes/serve-parent.ts. */
export class ForkedProcess<Ready> {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (answer: unknown) => void>();
  #lastId = 0;
  /** What it told when it was ready. */
  readonly ready: Ready;

  private constructor(child: ChildProcess, ready: Ready) {
    this.#child = child;
    this.ready = ready;
    child.on('message', (message) => {
      const { id, answer } = message as Reply;
      this.#waiting.get(id)?.(answer);
      this.#waiting.delete(id);
    });
    child.on('exit', () => {
      for (const settle of this.#waiting.values()) settle(new ProcessEnded('the process ended before it answered'));
    });
  }

  /** @param name file in bench/processes without its ending. Rejects when it ends before it is ready. */
  static async start<Ready>(
    name: string,
    environment: Readonly<Record<string, string | undefined>>,
  ): Promise<ForkedProcess<Ready>> {
    const file = fileURLToPath(new URL(`../processes/${name}.ts`, import.meta.url));
    const child = fork(file, { execArgv: ['--import=tsx'], env: { ...process.env, ...environment }, detached: true });
    const ended = once(child, 'exit').then(([code]) => {
      throw new Error(`the process ${name} ended while starting (code ${String(code)})`);
    });
    const [message] = await Promise.race([once(child, 'message'), ended]);
    ended.catch(() => undefined);
    return new ForkedProcess(child, (message as { ready: Ready }).ready);
  }

  get pid(): number {
    if (this.#child.pid === undefined) throw new Error('the process has ended');
    return this.#child.pid;
  }

  /** Rejects when the process is gone, or goes before it has answered. */
  ask<Answer>(question: string, argument?: unknown): Promise<Answer> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, (answer) => {
        if (answer instanceof ProcessEnded) reject(answer);
        else resolve(answer as Answer);
      });
      this.#child.send({ id, question, argument }, (error) => {
        if (error !== null) reject(error);
      });
    });
  }

  /** It ends when the channel closes, which also happens when this process dies; a profile is written only at such an end. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exit = once(this.#child, 'exit');
    this.#child.disconnect();
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), endTimeoutMs);
    await exit;
    clearTimeout(timer);
  }
}
