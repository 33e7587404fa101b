import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { settings } from '../config/settings.ts'
import { commands } from './commands.ts'
import { formatCompletion, shells } from './formatCompletion.ts'

const hasShell = (shell: string): boolean => spawnSync(shell, ['-c', 'exit 0']).status === 0

/** What a shell offers for the last word of a line: real bash, with the script loaded. */
const complete = (...line: readonly string[]): string[] => {
  const script = `${formatCompletion('bash', commands)}
COMP_WORDS=(${line.map((word) => `'${word}'`).join(' ')})
COMP_CWORD=${line.length - 1}
_chaincenter
printf '%s\\n' "\${COMPREPLY[@]}"`
  const { status, stdout, stderr } = spawnSync('bash', ['-u', '-c', script], { encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  return stdout.split('\n').filter((word) => word !== '')
}

test('bash completes commands, actions, flags and their values', { skip: !hasShell('bash') }, () => {
  assert.deepEqual(
    complete('chaincenter', ''),
    commands.map(({ name }) => name),
  )
  assert.deepEqual(complete('chaincenter', 'st'), ['start'])
  assert.deepEqual(complete('chaincenter', 'db', 're'), ['repair', 'reclassify', 'rewind'])
  assert.deepEqual(complete('chaincenter', '--port', '1', 'fork', ''), ['status'])
  assert.deepEqual(complete('chaincenter', 'start', '--network', ''), ['main', 'test', 'custom'])
  assert.deepEqual(complete('chaincenter', 'start', '--liteserver-p'), ['--liteserver-port'])
  assert.deepEqual(complete('chaincenter', 'start', '--port', ''), [])
  assert.deepEqual(complete('chaincenter', 'help', 'ins'), ['inspect'])
  assert.deepEqual(complete('chaincenter', 'start', '--config', '/et'), ['/etc'])
  const flags = complete('chaincenter', 'start', '--')
  assert.ok(Object.values(settings).every(({ flag }) => flags.includes(flag)))
})

for (const shell of shells) {
  test(`the script for ${shell} names everything and can be read by it`, () => {
    const script = formatCompletion(shell, commands)
    for (const { name } of commands) assert.match(script, new RegExp(`\\b${name}\\b`))
    for (const { flag } of Object.values(settings))
      assert.ok(script.includes(shell === 'fish' ? `-l ${flag.slice(2)} ` : flag), flag)
    if (!hasShell(shell)) return
    const { status, stderr } = spawnSync(shell, ['-n'], { input: script, encoding: 'utf8' })
    assert.equal(status, 0, stderr)
  })
}
