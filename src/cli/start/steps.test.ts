import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { showSteps } from './steps.ts'

test('a terminal shows the steps under way, those done with their times, and warnings between them', async () => {
  let text = ''
  let ms = 0
  const steps = showSteps({ columns: 80, write: (part) => (text += part) }, () => ms)
  assert.equal(steps.areShown, false)
  let finish = (): void => undefined
  const network = steps.run('network', new Promise<void>((done) => (finish = done)))
  const database = steps.run('PostgreSQL', Promise.reject(new Error('no')))
  assert.equal(steps.areShown, true)
  ms = 1250
  await assert.rejects(database, /^Error: no$/)
  await pause(150)
  assert.ok(text.endsWith('  … network 1.3 s'))
  finish()
  await network
  steps.end()
  const lines = text.split('\n').map((line) => line.slice(line.lastIndexOf('\x1b[2K') + 4))
  assert.deepEqual(lines, ['  ✗ PostgreSQL   1.3 s', '  ✓ network      1.3 s', ''])
  assert.equal(steps.areShown, false)
  // What goes on after the end is not shown.
  const before = text
  await steps.run('demo', Promise.resolve())
  assert.equal(text, before)
})
