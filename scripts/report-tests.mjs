// What npm test prints of ava's own report: a line for each group of tests, the failures in full, and the sum.

/** With it a process of test/runner says that a file has ended, and how many of its tests were run and failed. */
const endedMark = /^test file ended: (\S+) (\d+) (\d+)$/;

/**
 * @param {object} options
 * @param {readonly string[]} options.files the test files of this run; those of one folder are a group
 * @param {boolean} options.list whether each test gets a line instead of each group
 * @param {(line: string) => void} options.say
 */
export function createTestReport({ files, list, say }) {
  const startedAt = Date.now();
  const groups = groupsOf(files);
  const failures = [];
  /** What is left out, and why: a file that skips tests says so in a line of its own. */
  const reasons = [];
  let passed = 0;

  /** What a test has logged follows its line. That of a test that passed is shown in a list alone. */
  let isLogHidden = false;
  const note = (line) => {
    if (isLogHidden && /^ {4}/.test(line)) return false;
    isLogHidden = !list && /^ {2}✔ /.test(line);
    if (/^ {2}✔ /.test(line)) {
      passed += 1;
      return list;
    }
    const [, failed] = /^ {2}✘ \[fail\]: (.*)$/.exec(line) ?? [];
    if (failed !== undefined) failures.push(failed);
    const [, reason] = /^skipped: (.*)$/.exec(line) ?? [];
    if (reason !== undefined) reasons.push(reason);
    return (
      reason === undefined &&
      !/^ {2}- \[skip\] /.test(line) &&
      !/^ {2}\d+ (?:tests?|uncaught exceptions?) (?:passed|failed|skipped)$/.test(line)
    );
  };
  const noteEnd = ([, file, count, failed]) => {
    const group = groups.find((those) => those.files.delete(file));
    if (group === undefined) return;
    group.count += Number(count);
    group.failed += Number(failed);
    if (group.files.size === 0 && !list) sayGroup(group);
  };
  const sayGroup = ({ name, total, files: left, count, failed }) => {
    const seconds = ((Date.now() - startedAt) / 1000).toFixed(0);
    const ended = total - left.size;
    say(`  ${failed === 0 ? '✓' : '✗'} ${name}: ${count} tests in ${ended} files, ${failed} failed (${seconds} s)`);
  };

  return {
    /** Takes ava's output, and what its processes write, in pieces. */
    output: inLines((line) => {
      const ended = endedMark.exec(line);
      if (ended !== null) noteEnd(ended);
      else if (note(line)) say(line);
    }),
    /**
     * Says the sum. A run that failed without a failed test (a file that can't be loaded, a crash) counts as one failure.
     * @param {number} exitCode ava's
     * @returns {{ passed: number, failed: number, failures: string[] }}
     */
    end(exitCode) {
      for (const group of groups) if (group.files.size > 0 && group.count > 0 && !list) sayGroup(group);
      for (const reason of reasons) say(`  not run: ${reason}`);
      const failed = exitCode !== 0 && failures.length === 0 ? 1 : failures.length;
      say(`\n${passed} passed, ${failed} failed`);
      return { passed, failed, failures };
    },
  };
}

function groupsOf(files) {
  const groups = new Map();
  for (const file of files) {
    const [tree, folder, ...rest] = file.split('/');
    const name = rest.length > 0 ? folder : tree;
    const group = groups.get(name) ?? { name, total: 0, files: new Set(), count: 0, failed: 0 };
    groups.set(name, group);
    group.total += 1;
    group.files.add(file);
  }
  return [...groups.values()];
}

/** Pieces of text become lines; each stream has its own rest. */
function inLines(take) {
  return (stream) => {
    let rest = '';
    stream.setEncoding('utf8').on('data', (piece) => {
      const lines = (rest + piece).split('\n');
      rest = lines.pop() ?? '';
      lines.forEach(take);
    });
    stream.on('end', () => {
      if (rest !== '') take(rest);
    });
  };
}
