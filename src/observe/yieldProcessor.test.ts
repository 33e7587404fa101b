import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { getPriority } from 'node:os'
import { test } from 'node:test'
import { yieldProcessor } from './yieldProcessor.ts'

test('another process goes second; one that is not there does no harm', (t) => {
  const own = getPriority()
  const child = spawn('sleep', ['30'])
  t.after(() => child.kill())
  yieldProcessor(child.pid!)
  assert.deepEqual([getPriority(child.pid), getPriority()], [Math.max(own, 5), own])
  yieldProcessor(2 ** 22 + 1)
})
