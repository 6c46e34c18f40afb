/** What `work` comes to, or the error that `tooLate` makes when that takes longer; what comes later is dropped, failures too. */
export async function withinTime<Value>(work: Promise<Value>, maxMs: number, tooLate: () => Error): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(tooLate()), maxMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
