import assert from 'node:assert/strict'
import { test } from 'node:test'
import { haveDatabase } from '../../support/database.ts'
import { isLong } from '../../support/testLength.ts'
import { attackKinds } from './attacks.ts'
import { runHostileService } from './serviceRun.ts'

/** A busy machine takes longer than any deadline: that is not what this is about. */
const isLate = (line: string): boolean => / 50[34] /.test(line)

test('a service under attack from all sides gives right answers', { timeout: 400_000 }, async (t) => {
  if (!haveDatabase(t)) return
  const report = await runHostileService({
    quietMs: isLong ? 2000 : 500,
    hostileMs: isLong ? 60_000 : 4000,
    restMs: isLong ? 1000 : 300,
    messages: 20,
    pauseMs: 300,
    say: () => undefined,
  })
  assert.deepEqual(report.wrong, [])
  assert.deepEqual(
    report.errors.filter((line) => !isLate(line)),
    [],
  )
  assert.deepEqual(
    report.unexpected.filter((line) => !isLate(line)),
    [],
  )
  const kinds = attackKinds({ target: '', contracts: [''], loop: '', multisig: '' }).map(({ name }) => name)
  assert.deepEqual(Object.keys(report.attacks).sort(), kinds.toSorted())
  assert.ok(report.asked > 10, `${report.asked} questions were asked`)
  assert.ok(report.placed > 0)
})
