interface Question {
  readonly id: number;
  readonly question: string;
  readonly argument?: unknown;
}

type Answer = (argument: unknown) => unknown;

/** Tells the parent that this process is ready, then answers its questions until the parent is gone. A failed answer ends it. */
export function serveParent(ready: unknown, answers: Readonly<Record<string, Answer>>): void {
  process.on('message', (message) => {
    const { id, question, argument } = message as Question;
    Promise.resolve(answers[question]?.(argument)).then(
      (answer) => process.send?.({ id, answer }),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
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
