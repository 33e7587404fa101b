import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { transformSync } from 'esbuild'
import { writeTree } from '../../test/support/writeTree.ts'
import { nameSources } from './nameSources.ts'

const SOURCE = `type A = 1\n\ntype B = 2\n\nexport const fail = (): never => {\n  throw new Error('no')\n}\n`

test('places in compiled files become places in their sources; others stay as they are', (t) => {
  const tree = writeTree(t, { 'src/b.js': 'no map' })
  const repository = writeTree(t, { 'src/a.ts': SOURCE, 'src/b.ts': '' })
  const { code, map } = transformSync(SOURCE, { loader: 'ts', sourcemap: 'external' })
  writeFileSync(join(tree, 'src/a.js'), code)
  writeFileSync(join(tree, 'src/a.js.map'), map)
  const line = code.split('\n').findIndex((text) => text.includes('throw')) + 1
  const text = `at fail (file://${tree}/src/a.js:${line}:3)\nat ${tree}/src/b.js:4:5 and ${tree}/c.js:1:1, in ${tree}/src/a.js`
  assert.equal(
    nameSources(text, tree, repository),
    `at fail (${repository}/src/a.ts:6:3)\nat ${repository}/src/b.ts:4:5 and ${tree}/c.js:1:1, in ${repository}/src/a.ts`,
  )
})
