// Loaded before a worker or an API (node --import): the process kills itself at one chosen write to the database. DIE_AT is such as
// `7:before` (the write is never sent) or `7:after` (its answer has come, and nothing has followed from it), or the first of a kind, as
// `commitTransaction:before`. Writes count from SIGUSR2 on.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const [wanted, moment] = process.env.DIE_AT.split(':');
const ofProject = createRequire(`${process.cwd()}/`);
const ofMongoose = createRequire(ofProject.resolve('mongoose'));
const { Connection } = ofMongoose('mongodb/lib/cmap/connection.js');

/** What a process writes whether it has work or not. */
const background = new Set(['request_log', 'rate_buckets', 'sessions', 'api_keys']);
const kinds = ['insert', 'update', 'delete', 'findAndModify', 'commitTransaction', 'bulkWrite'];

let writes = 0;
let isArmed = false;
process.on('SIGUSR2', () => {
  isArmed = true;
});

const { command } = Connection.prototype;
Connection.prototype.command = async function (ns, sent, ...rest) {
  const kind = kinds.find((one) => one in sent);
  const counts = isArmed && kind !== undefined && !background.has(ns.collection);
  if (counts) writes += 1;
  const isLast = counts && (writes === Number(wanted) || kind === wanted);
  const die = () => {
    writeFileSync(process.env.DIED_FILE, `${moment} write ${wanted}, ${kind} of ${ns.collection ?? 'a transaction'}`);
    process.kill(process.pid, 'SIGKILL');
    // Nothing more may happen before the signal has come.
    return new Promise(() => undefined);
  };
  if (isLast && moment === 'before') return die();
  const answer = await command.call(this, ns, sent, ...rest);
  return isLast ? die() : answer;
};
