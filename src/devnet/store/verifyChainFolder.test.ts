import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, it, type TestContext } from 'node:test'
import { appendSteps, expectSteps, isChainError, openFolder } from '../../../test/support/chainFolder.ts'
import { makeSyntheticSteps } from '../../../test/support/SyntheticChain.ts'
import { tempFolder } from '../../../test/support/tempFolder.ts'
import type { CheckedBlock } from './ChainStore.ts'
import { packPath } from './packPaths.ts'
import { type Damage, verifyChainFolder } from './verifyChainFolder.ts'

const { zeroStates, steps } = makeSyntheticSteps(24, { keyEvery: 9 })
const { signal } = new AbortController()
const OLD = 3

const makeFolder = async (t: TestContext): Promise<string> => {
  const folder = tempFolder(t)
  const { store, close } = await openFolder(folder, { zeroStates, checkpointEvery: 4 })
  for (const step of steps) {
    appendSteps(store, [step])
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  await close()
  return folder
}

/** Changes a byte in the middle of a block, where its package has it. */
const damage = (path: string, { bytes }: CheckedBlock): void => {
  const whole = readFileSync(path)
  const at = whole.indexOf(bytes)
  assert.ok(at > 0)
  whole[at + (bytes.length >> 1)]! ^= 1
  writeFileSync(path, whole)
}

const verify = async (folder: string, range = { from: 1, to: Number.MAX_SAFE_INTEGER }) => {
  const found: Damage[] = []
  const verified = await verifyChainFolder(folder, { ...range, signal, onDamage: (each) => found.push(each) })
  return { ...verified, found }
}

describe('damage in the packages of a chain', () => {
  it('is found in an old block, which is named with its file, also while a process is at work', async (t) => {
    const folder = await makeFolder(t)
    const count = steps.reduce((sum, { shardBlocks }) => sum + shardBlocks.length + 1, 0)
    assert.deepEqual(await verify(folder), { blocks: count, damaged: 0, found: [] })
    const path = packPath(folder, 0, 0)
    damage(path, steps[OLD - 1]!.shardBlocks[0]!)
    const { blocks, damaged, found } = await verify(folder)
    assert.deepEqual([blocks, damaged, found.length], [count, 1, 1])
    const { seqno } = steps[OLD - 1]!.shardBlocks[0]!.id
    assert.deepEqual([found[0]!.masterSeqno, found[0]!.file], [OLD, path])
    assert.ok(found[0]!.block.startsWith('(0,') && found[0]!.block.endsWith(`,${seqno})`))
    const named = new RegExp(`^Block \\(0,[0-9a-f]{16},${seqno}\\) in ${path} is damaged: its file hash is`)
    assert.match(found[0]!.reason, named)
    assert.equal((await verify(folder, { from: OLD + 1, to: 24 })).damaged, 0)

    // It is far below what a start looks at; whoever asks for the block is told.
    const chain = await openFolder(folder, { checkpointEvery: 4 })
    assert.throws(() => chain.store.findBytes(steps[OLD - 1]!.shardBlocks[0]!.id), isChainError(named))
    assert.throws(() => chain.store.getRoot(steps[OLD - 1]!.shardBlocks[0]!.id), isChainError(named))
    assert.equal((await verify(folder)).damaged, 1)
    await chain.close()
  })

  it('is found at a start in what is newest', async (t) => {
    for (const seqno of [24, 22, 20]) {
      const folder = await makeFolder(t)
      const path = packPath(folder, 18, -1)
      damage(path, steps[seqno - 1]!.master)
      await assert.rejects(
        openFolder(folder, { checkpointEvery: 4 }),
        isChainError(new RegExp(`^Block \\(-1,8000000000000000,${seqno}\\) in ${path} is damaged`)),
      )
    }
  })

  it('is none where packages are whole, whatever was read', async (t) => {
    const folder = await makeFolder(t)
    const chain = await openFolder(folder, { checkpointEvery: 4 })
    expectSteps(chain.store, steps)
    await chain.close()
  })
})
