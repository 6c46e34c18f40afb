import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { formerCommit } from '../../verification/upgrade/support/releases.ts';

/** A repository of one commit for each, with that tag; '' is none. */
function aRepository(...tags: readonly string[]): { readonly folder: string; readonly first: string } {
  const folder = mkdtempSync(join(tmpdir(), 'itembridge-releases-'));
  const identity = ['-c', 'user.name=test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false'];
  const git = (...args: readonly string[]) =>
    execFileSync('git', [...identity, ...args], { cwd: folder, encoding: 'utf8' }).trim();
  git('init', '--quiet');
  const commits = tags.map((tag) => {
    git('commit', '--quiet', '--allow-empty', '--message', 'one more');
    if (tag !== '') git('tag', tag);
    return git('rev-parse', 'HEAD');
  });
  return { folder, first: commits[0] ?? '' };
}

test('a release is compared with the one before it, on its own tag too, and never with itself', async (t) => {
  const between = aRepository('v0.9.0', '');
  t.is(await formerCommit(between.folder), between.first);
  const tagged = aRepository('v0.9.0', '', 'v1.0.0');
  t.is(await formerCommit(tagged.folder), tagged.first);
  await t.throwsAsync(formerCommit(tagged.folder, 'v1.0.0'), { message: /v1\.0\.0 is this release/ });
});
