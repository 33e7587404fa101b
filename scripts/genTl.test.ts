import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { repository } from '../test/support/childScript.ts'

const parts = [
  'scripts/genTl.ts',
  'scripts/tl',
  'src/codec/tl/constructors.ts',
  'src/codec/tl/generated',
  'src/primitives',
]

const runGenTl = (root: string, ...args: string[]) => {
  const script = join(root, 'scripts/genTl.ts')
  const node = [process.execPath, '--import', import.meta.resolve('tsx'), script, ...args]
  const { status, stdout, stderr } = spawnSync(node[0] as string, node.slice(1), { encoding: 'utf8' })
  return { status, stdout, stderr }
}

test('the committed files are those of the table', () => {
  const { status, stdout, stderr } = runGenTl(repository, '--check')
  assert.equal(stderr, '')
  assert.match(stdout, /^The generated TL is up to date \(12 files\)\.$/m)
  assert.equal(status, 0)
})

test('--check tells which files differ and changes none; without it they are made right', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'genTl-'))
  t.after(() => rmSync(root, { recursive: true }))
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }')
  for (const part of parts) cpSync(join(repository, part), join(root, part), { recursive: true })
  const generated = join(root, 'src/codec/tl/generated')
  const keys = readFileSync(join(generated, 'keys.ts'), 'utf8')
  writeFileSync(join(generated, 'keys.ts'), `${keys}\n`)
  writeFileSync(join(generated, 'stray.ts'), '')
  rmSync(join(generated, 'db.ts'))

  const checked = runGenTl(root, '--check')
  assert.equal(checked.status, 1)
  assert.equal(
    checked.stderr,
    'The generated TL differs from its table in keys.ts, db.ts, stray.ts. Run scripts/genTl.ts and commit the result.\n',
  )
  assert.equal(readFileSync(join(generated, 'keys.ts'), 'utf8'), `${keys}\n`)

  assert.equal(runGenTl(root).stdout, 'Wrote 3 of 12 files of generated TL.\n')
  assert.equal(readFileSync(join(generated, 'keys.ts'), 'utf8'), keys)
  assert.equal(runGenTl(root, '--check').status, 0)

  const table = join(root, 'src/codec/tl/constructors.ts')
  writeFileSync(table, readFileSync(table, 'utf8').replace('16ad5a34', '16ad5a35'))
  const broken = runGenTl(root, '--check')
  assert.equal(broken.status, 1)
  assert.match(broken.stderr, /liteServer\.getTime: its row says 16ad5a35, its line computes to 16ad5a34\./)
})
