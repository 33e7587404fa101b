import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { it } from 'node:test'
import { isChainError } from '../../../test/support/chainFolder.ts'
import { loggedId, writeLongLog } from '../../../test/support/longLog.ts'
import { tempFolder } from '../../../test/support/tempFolder.ts'
import { masterchain } from '../../primitives/BlockId.ts'
import { LoggedFiles } from './LoggedFiles.ts'
import { packPath } from './packPaths.ts'

const STEPS = 20_000

it('opens a long log quickly and keeps little of it in memory', (t) => {
  const folder = tempFolder(t)
  writeLongLog(folder, STEPS)
  const before = process.memoryUsage().arrayBuffers
  const start = performance.now()
  const files = new LoggedFiles(folder, false)
  const ms = performance.now() - start
  const { index } = files
  assert.deepEqual(files.repair, { hadTornRecord: false, lostSteps: 0, cutPackages: 0 })
  assert.equal(index.steps, STEPS)
  assert.equal(index.count, 2 * STEPS)
  for (const seqno of [1, 2, 99, 100, 101, 12_345, STEPS]) {
    assert.equal(index.findNumber(loggedId(masterchain, seqno)), 2 * seqno - 1)
    assert.deepEqual(index.findMaster(seqno)?.prev, [loggedId(masterchain, seqno - 1)])
    assert.deepEqual(index.findByLt(0, 1n, BigInt(seqno) * 1_000_000n + 10n)?.id, loggedId(0, seqno))
  }
  const bytes = (process.memoryUsage().arrayBuffers - before) / STEPS
  assert.ok(bytes < 1000, `${bytes} bytes are held for a step`)
  assert.ok(ms < 5000, `opening took ${ms} ms`)
  t.diagnostic(`${STEPS} steps in ${Math.round(ms)} ms, ${Math.round(bytes)} bytes of arrays for a step`)
  files.close()

  // A package that is gone is no unfinished step: nothing is cut away for it.
  rmSync(packPath(folder, 400, 0))
  assert.throws(
    () => new LoggedFiles(folder, false),
    isChainError(/lack blocks from masterchain block 400 on, but the log names 20000: files are missing or were cut/),
  )
})
