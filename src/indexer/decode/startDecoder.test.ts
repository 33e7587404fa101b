import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { startDecoder } from './startDecoder.ts'

/** Niceness is the nineteenth field, behind a name in parentheses that may hold anything. */
const listNiceness = (): number[] =>
  readdirSync('/proc/self/task').map((thread) =>
    Number(
      readFileSync(`/proc/self/task/${thread}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')[16],
    ),
  )

test('a thread that decodes lets those who answer go first', { timeout: 60_000 }, async (t) => {
  if (process.platform !== 'linux') return t.skip('NOT TESTED: threads have no priority of their own here.')
  const isSecond = (niceness: number): boolean => niceness === 5
  assert.ok(!listNiceness().some(isSecond))
  const decoder = startDecoder({ watched: undefined })
  t.after(() => decoder.terminate())
  while (!listNiceness().some(isSecond)) await delay(20)
  assert.equal(listNiceness().filter(isSecond).length, 1)
})
