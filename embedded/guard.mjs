// Stops the children of its parent when the parent was killed with kill -9: otherwise mongod and Temporal would go on
// running. The parent sends { add: pid } and { remove: pid }; the end of the channel is the parent's end.
const pids = new Set();

process.on('message', ({ add, remove }) => {
  if (add !== undefined) pids.add(add);
  if (remove !== undefined) pids.delete(remove);
});
process.on('disconnect', () => {
  stopAll().catch(() => process.exit(1));
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

/** Stops the child that was started last first, with a second for each, so that the databases stop last. */
async function stopAll() {
  for (const pid of [...pids].reverse()) {
    signalGroup(pid, 'SIGTERM');
    for (let tries = 0; tries < 20 && isAlive(pid); tries += 1) await new Promise((resolve) => setTimeout(resolve, 50));
  }
  for (const pid of pids) signalGroup(pid, 'SIGKILL');
  process.exit(0);
}

function signalGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
  } catch {
    // The process group has ended already.
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
