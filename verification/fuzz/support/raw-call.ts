import { connect, type Socket } from 'node:net';

/** What is put on the wire: bytes at once, or whatever writes to the socket in its own time. */
export type Wire = Buffer | ((socket: Socket) => Promise<void>);

/** What came back. Without `status` nothing did before the connection was closed, or before the time was over (`isTimeout`). */
export interface RawAnswer {
  readonly status: number | undefined;
  readonly headers: Headers;
  readonly text: string;
  /** Heads of answers on the connection, informational ones not counted. */
  readonly answers: number;
  readonly isTimeout: boolean;
  readonly durationMs: number;
}

export interface RawCallOptions {
  /** By default 30 s. */
  readonly timeoutMs?: number;
  /** Reads on until the connection is closed or silent for so long: for what may bring more answers than requests. */
  readonly quietMs?: number;
}

const answerMax = 4 * 1024 * 1024;

/** Sends bytes that no HTTP library would, on a connection of their own. Never rejects. */
export async function rawCall(url: string, wire: Wire, options: RawCallOptions = {}): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  const startedAt = Date.now();
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  let received = Buffer.alloc(0);
  let isTimeout = false;
  await new Promise<void>((resolve) => {
    let quiet: NodeJS.Timeout | undefined;
    const timer = setTimeout(() => {
      isTimeout = true;
      socket.destroy();
    }, options.timeoutMs ?? 30_000);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(timer);
      clearTimeout(quiet);
      resolve();
    });
    socket.on('data', (part: Buffer) => {
      received = Buffer.concat([received, part]);
      if (received.length > answerMax) socket.destroy();
      if (options.quietMs !== undefined) {
        clearTimeout(quiet);
        quiet = setTimeout(() => socket.destroy(), options.quietMs);
      } else if (isWhole(received)) socket.destroy();
    });
    socket.on('connect', () => {
      if (typeof wire === 'function') wire(socket).catch(() => socket.destroy());
      else socket.write(wire);
    });
  });
  return { ...readAnswer(received), isTimeout, durationMs: Date.now() - startedAt };
}

/** Writes as fast as the other side reads; ends early when it has gone. */
export async function pour(socket: Socket, block: Buffer, times: number): Promise<void> {
  for (let count = 0; count < times && !socket.destroyed && socket.writable; count += 1) {
    if (socket.write(block)) continue;
    await new Promise<void>((resolve) => {
      socket.once('drain', resolve).once('close', () => resolve());
    });
    socket.removeAllListeners('drain');
  }
}

const headEnd = '\r\n\r\n';

/** The last answer's head of those that are not informational, and where its body begins. */
function headOf(bytes: Buffer): { lines: readonly string[]; bodyAt: number } | undefined {
  for (let start = 0; ;) {
    const end = bytes.indexOf(headEnd, start);
    if (end === -1) return undefined;
    const lines = bytes.subarray(start, end).toString('latin1').split('\r\n');
    const bodyAt = end + headEnd.length;
    if (!/^HTTP\/1\.1 1\d\d/.test(lines[0] ?? '')) return { lines, bodyAt };
    start = bodyAt;
  }
}

function isWhole(bytes: Buffer): boolean {
  const head = headOf(bytes);
  if (head === undefined) return false;
  const headers = headersOf(head.lines);
  if (/chunked/i.test(headers.get('transfer-encoding') ?? '')) return bytes.includes('\r\n0\r\n\r\n');
  const status = statusOf(head.lines);
  if (status === 204 || status === 304) return true;
  const length = headers.get('content-length');
  return length !== null && bytes.length - head.bodyAt >= Number(length);
}

function readAnswer(bytes: Buffer): Pick<RawAnswer, 'status' | 'headers' | 'text' | 'answers'> {
  const head = headOf(bytes);
  if (head === undefined)
    return { status: undefined, headers: new Headers(), text: bytes.toString('utf8'), answers: 0 };
  const headers = headersOf(head.lines);
  const length = headers.get('content-length');
  const body = bytes.subarray(head.bodyAt, length === null ? undefined : head.bodyAt + Number(length));
  const answers = bytes.toString('latin1').match(/HTTP\/1\.1 [2-5]\d\d /g)?.length ?? 0;
  return { status: statusOf(head.lines), headers, text: body.toString('utf8'), answers };
}

const statusOf = ([first = '']: readonly string[]): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1] ?? 0);

function headersOf([, ...lines]: readonly string[]): Headers {
  const headers = new Headers();
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  return headers;
}
