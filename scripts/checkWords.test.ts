import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runScript } from '../test/support/runScript.ts'
import { writeTree } from '../test/support/writeTree.ts'

const tree = {
  'README.md': '# A page\n\nThe indexer retries. The surface of the part in question is flat.\n',
  'src/node/Surface.ts':
    "export const Surface = 'in question'\nexport const gateway = (logger: Logger) => logger.warn('leadership lost')\n",
}

const check = (root: string) => runScript('scripts/checkWords', ['--root', root])

test('plain words pass', (t) => {
  assert.deepEqual(check(writeTree(t, tree)), { exitCode: 0, stdout: '', stderr: '' })
})

const planted: readonly (readonly [string, string, string, string])[] = [
  [
    'an exported name',
    'src/node/a.ts',
    'const a = 1\nexport type ListQuestion = 1\n',
    'src/node/a.ts:2 "Question": write Filter',
  ],
  [
    'a log message',
    'src/node/a.ts',
    "logger.info(\n  'server in step')\n",
    'src/node/a.ts:2 "in step": write "in sync"',
  ],
  [
    'a log message of one word',
    'src/node/a.ts',
    "logger.info('Opened')\n",
    'src/node/a.ts:1 "Op": write a lower-case phrase',
  ],
  [
    'an error',
    'src/node/a.ts',
    'throw new Error(`This is no address.`)\n',
    'src/node/a.ts:1 "is no address": write "is not a valid',
  ],
  ['a flag', 'src/config/a.ts', "const flag = '--face-port'\n", 'src/config/a.ts:1 "face": write "liteserver"'],
  ['a page of docs', 'docs/a.md', 'First.\n\nMany figures.\n', 'docs/a.md:3 "figures": write "metrics" or "stats"'],
]
for (const [what, path, content, message] of planted) {
  test(`a planted word fails the check and is named: ${what}`, (t) => {
    const { exitCode, stderr } = check(writeTree(t, { ...tree, [path]: content }))
    assert.equal(exitCode, 1)
    assert.equal(stderr.split('\n')[0]?.startsWith(message), true, stderr)
  })
}
