import type { Canary } from './canaries.ts';
import type { Place } from './leak-places.ts';

export interface Ask {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A text is sent as it is. */
  readonly body?: unknown;
  /** Secrets that this answer hands out: name → where it stands. Only in this answer they may stand. */
  readonly reveals?: Readonly<Record<string, (answer: Reply) => string>>;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- what a test reads from an answer
  readonly body: any;
}

export interface Recorder {
  /** Calls the API, and keeps the whole answer. */
  readonly ask: (path: string, options?: Ask) => Promise<Reply>;
  /** A secret of the run that no answer of {@link ask} hands out. */
  readonly plant: (canary: Canary) => string;
  canaries(): Canary[];
  /** Every answer, without the secrets that it was asked for. */
  answers(): Place[];
}

/** Remembers every answer and every secret. */
export function createRecorder(url: string): Recorder {
  const canaries: Canary[] = [];
  const answers: { name: string; text: string; own: readonly string[] }[] = [];
  const plant = (canary: Canary): string => {
    canaries.push(canary);
    return canary.value;
  };
  return {
    plant,
    canaries: () => [...canaries],
    answers: () =>
      answers.map(({ name, text, own }) => ({ name, text: own.reduce((rest, one) => rest.replaceAll(one, ''), text) })),
    ask: async (path, { method = 'GET', headers = {}, body, reveals = {} } = {}) => {
      const sent = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
      const response = await fetch(url + path, {
        method,
        redirect: 'manual',
        ...sent,
        headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      });
      const text = await response.text();
      const reply = { status: response.status, headers: response.headers, text, body: jsonOf(text) };
      const own = Object.entries(reveals).map(([name, read]) => plant({ name, value: read(reply) }));
      const head = [...response.headers].map((pair) => pair.join(': ')).join('\n');
      answers.push({
        name: `answer ${reply.status} to ${method} ${path.split('?')[0] ?? ''}`,
        text: `${head}\n${text}`,
        own,
      });
      return reply;
    },
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value of a cookie that an answer sets. */
export const cookieIn = ({ headers }: Reply, name: string): string => {
  const found = headers.getSetCookie().find((one) => one.startsWith(`${name}=`));
  return found?.slice(name.length + 1).split(';')[0] ?? '';
};

/** What is secret of a JSON Web Token: without it nobody is let in. Its claims name account and session, as logs do. */
export const signatureOf = (token: string): string => token.split('.')[2] ?? '';
