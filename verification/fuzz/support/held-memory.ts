import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'undici';

/** What a process still holds once its garbage is gone, in MB: its own heap, and those of its threads together. */
export interface HeldMemory {
  readonly ownMb: number;
  readonly threadsMb: number;
  readonly threads: number;
}

/**
 * Opens the inspector of a running Node process (`--inspect-port` must have given it one of its own), collects all garbage in it and
 * in its threads twice, and says what is left. So growth can be told from a heap that was not cleaned yet.
 */
export async function heldMemory(pid: number, inspectPort: number): Promise<HeldMemory> {
  process.kill(pid, 'SIGUSR1');
  const inspector = await Inspector.open(await socketUrl(inspectPort));
  try {
    const sessions = [undefined, ...(await inspector.threads())];
    for (let round = 0; round < 2; round += 1)
      for (const session of sessions) await inspector.call('HeapProfiler.collectGarbage', {}, session);
    const used = [];
    for (const session of sessions) used.push(await inspector.heapMb(session));
    const [ownMb = 0, ...threads] = used;
    return { ownMb, threadsMb: threads.reduce((sum, mb) => sum + mb, 0), threads: threads.length };
  } finally {
    inspector.close();
  }
}

async function socketUrl(port: number): Promise<string> {
  for (let tries = 0; tries < 100; tries += 1) {
    const targets = await fetch(`http://127.0.0.1:${port}/json/list`)
      .then((answer) => answer.json() as Promise<readonly { webSocketDebuggerUrl: string }[]>)
      .catch(() => []);
    const url = targets[0]?.webSocketDebuggerUrl;
    if (url !== undefined) return url;
    await pause(100);
  }
  throw new Error(`the inspector did not open its port ${port}`);
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly sessionId?: string; readonly message?: string };
  readonly result?: { readonly usedSize?: number };
  readonly error?: { readonly message: string };
}

/** The protocol of the inspector; a thread is spoken to through messages of its parent. */
class Inspector {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<
    number,
    { resolve: (result: Message['result']) => void; reject: (error: Error) => void }
  >();
  readonly #threads: string[] = [];
  #lastId = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => {
      this.#hear(JSON.parse(String(data)) as Message);
    });
  }

  static async open(url: string): Promise<Inspector> {
    const socket = new WebSocket(url);
    const inspector = new Inspector(socket);
    await once(socket, 'open');
    return inspector;
  }

  /** Sessions of the threads that run now. */
  async threads(): Promise<readonly string[]> {
    await this.call('NodeWorker.enable', { waitForDebuggerOnStart: false });
    return this.#threads;
  }

  async heapMb(session: string | undefined): Promise<number> {
    const result = await this.call('Runtime.getHeapUsage', {}, session);
    return Math.round((result?.usedSize ?? 0) / 1_048_576);
  }

  call(method: string, params: object = {}, session?: string): Promise<Message['result']> {
    const id = ++this.#lastId;
    const answer = new Promise<Message['result']>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
    });
    const message = JSON.stringify({ id, method, params });
    if (session === undefined) this.#socket.send(message);
    else {
      const around = { sessionId: session, message };
      this.#socket.send(
        JSON.stringify({ id: ++this.#lastId, method: 'NodeWorker.sendMessageToWorker', params: around }),
      );
    }
    return answer;
  }

  close(): void {
    this.#socket.close();
  }

  #hear({ id, method, params, result, error }: Message): void {
    if (method === 'NodeWorker.attachedToWorker' && params?.sessionId !== undefined)
      this.#threads.push(params.sessionId);
    if (method === 'NodeWorker.receivedMessageFromWorker') this.#hear(JSON.parse(params?.message ?? '{}') as Message);
    if (id === undefined) return;
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) waiting?.resolve(result);
    else waiting?.reject(new Error(error.message));
  }
}
