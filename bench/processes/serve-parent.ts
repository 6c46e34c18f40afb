interface Question {
  readonly id: number;
  readonly question: string;
}

/** Tells the parent that this process is ready, then answers its questions until the parent is gone. */
export function serveParent(ready: unknown, answers: Readonly<Record<string, () => unknown>>): void {
  process.on('message', (message) => {
    const { id, question } = message as Question;
    process.send?.({ id, answer: answers[question]?.() });
  });
  process.on('disconnect', () => {
    process.exit();
  });
  process.send?.({ ready });
}

export function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: this process is started by "npm run bench"`);
  return value;
}
