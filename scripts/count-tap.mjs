/**
 * Counts tests in a TAP stream that comes in pieces. Skipped tests and todos count as neither. A run that failed without a
 * failed test (a file that could not be loaded, a crash of ava itself) counts as one failure, so that it is never a pass.
 * `failures` are the failed tests' names, as ava wrote them.
 */
export function createTapCounter() {
  let rest = '';
  let passed = 0;
  const failures = [];
  const count = (line) => {
    if (/^(not )?ok\b.*# (SKIP|TODO)\b/i.test(line)) return;
    if (/^ok\b/.test(line)) passed += 1;
    if (/^not ok\b/.test(line)) failures.push(line.replace(/^not ok\b( \d+)?( - )?/, ''));
  };
  return {
    /** @param {Buffer | string} chunk */
    write(chunk) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      lines.forEach(count);
    },
    /** @param {number} exitCode of the program that wrote it */
    end(exitCode) {
      count(rest);
      const failed = exitCode !== 0 && failures.length === 0 ? 1 : failures.length;
      return { passed, failed, failures };
    },
  };
}
