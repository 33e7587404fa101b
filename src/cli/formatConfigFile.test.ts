import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { runCommandLine } from '../../test/support/runCommandLine.ts'
import { writeTree } from '../../test/support/writeTree.ts'
import { loadConfig } from '../config/load.ts'
import { settings } from '../config/settings.ts'
import { formatConfigFile } from './formatConfigFile.ts'

test('init writes a file that sets nothing, and leaves an existing one alone', async (t) => {
  const workingDir = writeTree(t, {})
  const { exitCode, out } = await runCommandLine(t, ['init'], { workingDir })
  assert.equal(exitCode, 0)
  assert.match(out, /^Wrote .*chaincenter\.json/)
  assert.equal(readFileSync(join(workingDir, 'chaincenter.json'), 'utf8'), formatConfigFile())
  const { given } = await loadConfig({ args: [], env: {}, workingDir })
  assert.deepEqual([...given], [])
  const again = await runCommandLine(t, ['init'], { workingDir })
  assert.equal(again.exitCode, 2)
  assert.match(again.err, /exists already/)
})

test('every default in the file can be set as it stands there', async (t) => {
  const entries = formatConfigFile().matchAll(/^ {2}\/\/ ("[a-zA-Z0-9]+": .*,)$/gm)
  const lines = [...entries].map(([, line]) => line!)
  const known = Object.values(settings).filter((setting) => !('inFile' in setting))
  assert.equal(lines.length, known.length)
  const set = lines.filter((line) => !line.includes('"<'))
  const workingDir = writeTree(t, { 'chaincenter.json': `{\n${set.join('\n')}\n}` })
  const { config, given } = await loadConfig({ args: [], env: {}, workingDir })
  assert.equal(given.size, set.length)
  for (const name of given) {
    const { default: value } = settings[name as keyof typeof settings]
    if (value !== undefined) assert.deepEqual(config[name as keyof typeof config], value, name)
  }
})
