import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { runScript } from './support/runScript.ts'
import { writeTree } from './support/writeTree.ts'

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

test('the launcher runs the sources of a clone, from any folder', (t) => {
  const cwd = writeTree(t, { 'chaincenter.json': '{ "shards": 3 }' })
  assert.deepEqual(runScript('bin/chaincenter.js', ['--version'], { cwd: writeTree(t, {}) }), {
    exitCode: 0,
    stdout: `${manifest.version}\n`,
    stderr: '',
  })
  const { exitCode, stderr } = runScript('bin/chaincenter.js', ['start'], { cwd })
  assert.equal(exitCode, 2)
  assert.match(
    stderr,
    /^Invalid setting shards from shards in .*chaincenter\.json: expected one of 1, 2, 4, 8, 16, but got "3"\./,
  )
})

test('the exit code reaches the caller', (t) => {
  const cwd = writeTree(t, {})
  const { exitCode, stderr } = runScript('bin/chaincenter.js', ['start'], {
    cwd,
    env: { CHAINCENTER_LOG_LEVEL: 'loud' },
  })
  assert.equal(exitCode, 2)
  assert.equal(
    stderr,
    'Invalid setting logLevel from the environment variable CHAINCENTER_LOG_LEVEL: expected one of debug, info, warn, error, silent, but got "loud".\nFix the environment variable CHAINCENTER_LOG_LEVEL, or remove it to use the default.\n',
  )
})
