import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { appendFileSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { appendSteps, expectSteps, isChainError, openFolder } from '../../../test/support/chainFolder.ts'
import { loggedId } from '../../../test/support/longLog.ts'
import { makeSyntheticSteps } from '../../../test/support/SyntheticChain.ts'
import { tempFolder } from '../../../test/support/tempFolder.ts'
import { toHex } from '../../primitives/hex.ts'
import { ChainLog } from './ChainLog.ts'
import { packPath } from './packPaths.ts'

const payload = (number: number): Uint8Array => new Uint8Array(100 + number).fill(number)

const openLog = (path: string): { readonly log: ChainLog; readonly records: string[] } => {
  const records: string[] = []
  const log = ChainLog.open(path, true, (bytes, at, length) => {
    records.push(toHex(bytes.slice(at, at + length)))
    return true
  })
  return { log, records }
}

const expected = (count: number): string[] => Array.from({ length: count }, (_, k) => toHex(payload(k)))

/** Lets this process write no file beyond a length, as a full disk would; `undefined` gives it free again. */
const limitFiles = (t: TestContext, length: number | undefined): boolean => {
  const { status } = spawnSync('/usr/bin/env', [
    'prlimit',
    '--pid',
    `${process.pid}`,
    `--fsize=${length ?? 'unlimited'}:unlimited`,
  ])
  if (status !== 0) t.skip('NOT TESTED: the length of files cannot be limited here (prlimit).')
  return status === 0
}

describe('ChainLog', () => {
  it('gives its records back, and cuts', (t) => {
    const path = join(tempFolder(t), 'chain.log')
    const ids = [loggedId(-1, 0), loggedId(0, 0)]
    ChainLog.create(path, ids, true)
    const { log } = openLog(path)
    assert.deepEqual(log.zeroStates, ids)
    for (let k = 0; k < 50; k++) log.append(payload(k))
    log.cutTo(30)
    assert.equal(log.steps, 30)
    for (let k = 30; k < 40; k++) log.append(payload(k))
    log.close()
    const again = openLog(path)
    assert.deepEqual(again.records, expected(40))
    assert.equal(again.log.hadTornEnd, false)
    again.log.close()
    appendFileSync(path, readFileSync(path).subarray(-60, -1))
    const torn = openLog(path)
    assert.deepEqual(torn.records, expected(40))
    assert.equal(torn.log.hadTornEnd, true)
    torn.log.append(payload(40))
    torn.log.close()
    const healed = openLog(path)
    assert.deepEqual(healed.records, expected(41))
    assert.equal(healed.log.hadTornEnd, false)
    healed.log.close()
  })

  it('leaves no part of a record that did not fit, and takes it when there is room', (t) => {
    const path = join(tempFolder(t), 'chain.log')
    ChainLog.create(path, [loggedId(-1, 0)], false)
    const { log } = openLog(path)
    log.append(payload(0))
    const { size } = statSync(path)
    if (!limitFiles(t, size + 50)) return
    try {
      assert.throws(() => log.append(payload(1)), isChainError(/^The log .* cannot be written: EFBIG/))
      assert.equal(statSync(path).size, size)
    } finally {
      limitFiles(t, undefined)
    }
    log.append(payload(1))
    log.close()
    assert.deepEqual(openLog(path).records, expected(2))
  })
})

describe('a folder whose disk is full', () => {
  const { zeroStates, steps } = makeSyntheticSteps(12)

  it('publishes nothing, is cut back, and goes on when there is room', async (t) => {
    const folder = tempFolder(t)
    const { store, close } = await openFolder(folder, { zeroStates })
    appendSteps(store, steps.slice(0, 6))
    const paths = [packPath(folder, 0, -1), packPath(folder, 0, 0), join(folder, 'chain.log')]
    const measure = (): number[] => paths.map((path) => statSync(path).size)
    const sizes = measure()
    if (!limitFiles(t, sizes[0]! + 300)) return
    try {
      assert.throws(() => store.append(steps[6]!), isChainError(/cannot be written to its package: EFBIG/))
      assert.deepEqual(measure(), sizes)
      expectSteps(store, steps.slice(0, 6))
    } finally {
      limitFiles(t, undefined)
    }
    appendSteps(store, steps.slice(6))
    expectSteps(store, steps)
    await close()
    const again = await openFolder(folder)
    expectSteps(again.store, steps)
    await again.close()
  })
})
