import { useState } from 'preact/hooks';
import { repeatUnderOneName, type CallName } from './repeat-under-one-name.ts';

export type { CallName } from './repeat-under-one-name.ts';

/**
 * For a POST that makes something: `useRepeatable(async (body, headers) => api.post…({ body, headers }))`. When nobody knows what became
 * of it and the person tries the same again, it goes under the same name, so that nothing is made twice.
 */
export function useRepeatable<Body, Result>(
  post: (body: Body, headers: CallName) => Promise<Result>,
): (body: Body) => Promise<Result> {
  const [repeatable] = useState(() => repeatUnderOneName(post, newCallName));
  repeatable.post = post;
  return repeatable.call;
}

/** `crypto.randomUUID` is there on secure pages only; this is everywhere. */
const newCallName = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
