import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runScript } from '../test/support/runScript.ts'
import { writeTree } from '../test/support/writeTree.ts'

const tree = {
  'package.json': '{}',
  'src/primitives/hex.ts': 'export const hex = 1\n',
  'src/codec/boc.ts': "import { hex } from '../primitives/hex.ts'\nexport const boc = hex\n",
}

test('the command passes a tree that keeps the walls', (t) => {
  const root = writeTree(t, tree)
  assert.deepEqual(runScript('scripts/checkWalls', ['--root', root]), { exitCode: 0, stdout: '', stderr: '' })
})

test('the command fails on a deliberately wrong import and names it', (t) => {
  const root = writeTree(t, {
    ...tree,
    'src/primitives/wrong.ts': "import { boc } from '../codec/boc.ts'\nexport const wrong = boc\n",
  })
  const { exitCode, stderr } = runScript('scripts/checkWalls', ['--root', root])
  assert.equal(exitCode, 1)
  assert.equal(
    stderr.split('\n')[0],
    'src/primitives/wrong.ts:1 imports src/codec/boc.ts: primitives may import nothing of ours, not codec',
  )
})
