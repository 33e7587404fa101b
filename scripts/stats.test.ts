import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { runScript } from '../test/support/runScript.ts'
import { writeTree } from '../test/support/writeTree.ts'

const tree = {
  'src/a.ts': "import { b } from './b.ts'\n\nexport const a = b\nexport type A = typeof a\n",
  'src/b.ts': 'export const b = 1\n',
  'src/b.test.ts': "import { b } from './b.ts'\nb\n",
}

test('files without tests are counted, and the last line is JSON', (t) => {
  const { exitCode, stdout } = runScript('scripts/stats', ['--root', writeTree(t, tree)])
  assert.equal(exitCode, 0)
  assert.equal(
    stdout.trimEnd().split('\n').at(-1),
    '{"stats":"src","files":2,"median":4,"p95":4,"lines":5,"import_share":0.2}',
  )
})

test('another commit stands beside the working tree, with the names that differ', (t) => {
  const root = writeTree(t, tree)
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], { cwd: root })
  git('init', '-q')
  git('add', '.')
  git('commit', '-q', '-m', 'first')
  rmSync(join(root, 'src/b.ts'))
  writeFileSync(join(root, 'src/a.ts'), 'export const b = 1\nexport const c = b\n')
  const { exitCode, stdout } = runScript('scripts/stats', ['--root', root, '--ref', 'HEAD', '--names'])
  assert.equal(exitCode, 0)
  assert.match(stdout, /Exported names since HEAD: 1 added, 2 removed, 1 in another file\n- A\n- a\n\+ c\n/)
  assert.deepEqual(stdout.trimEnd().split('\n').slice(-2), [
    '{"stats":"src at HEAD","files":2,"median":4,"p95":4,"lines":5,"import_share":0.2}',
    '{"stats":"src","files":1,"median":2,"p95":2,"lines":2,"import_share":0}',
  ])
})
