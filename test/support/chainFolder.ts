import assert from 'node:assert/strict'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { ChainStore, MasterStep } from '../../src/devnet/store/ChainStore.ts'
import { ChainDataError } from '../../src/devnet/store/errors.ts'
import { type ChainFolder, type ChainFolderOptions, openChainFolder } from '../../src/devnet/store/openChainFolder.ts'
import { tempFolder } from './tempFolder.ts'

/** What is in a folder now, as another process would find it were this one killed. */
export const copyFolder = (t: TestContext, folder: string): string => {
  const copy = join(tempFolder(t), 'copy')
  cpSync(folder, copy, { recursive: true })
  return copy
}

export const openFolder = (folder: string, options: Partial<ChainFolderOptions> = {}): Promise<ChainFolder> =>
  openChainFolder(folder, { keep: 5, sync: false, ...options })

export const appendSteps = (store: ChainStore, steps: readonly MasterStep[]): void => {
  for (const step of steps) store.append(step)
}

/** The chain is these steps and no others: blocks, signatures, states of the newest. */
export const expectSteps = (store: ChainStore, steps: readonly MasterStep[]): void => {
  assert.equal(store.head?.id.seqno ?? 0, steps.length)
  assert.equal(
    store.index.count,
    steps.reduce((sum, { shardBlocks }) => sum + shardBlocks.length + 1, 0),
  )
  for (const { master, shardBlocks, proof } of steps) {
    const { seqno } = master.id
    for (const { id, bytes } of [master, ...shardBlocks]) assert.deepEqual(store.findBytes(id), bytes)
    assert.deepEqual(store.findMaster(seqno)?.id, master.id)
    const included = store.index.listIncluded(seqno).map(({ id }) => id)
    assert.deepEqual(
      included,
      shardBlocks.map(({ id }) => id),
    )
    assert.equal(store.findSignatures(seqno) === undefined, proof === undefined)
  }
  const keys = steps.filter(({ master }) => master.info.keyBlock).map(({ master }) => master.id.seqno)
  assert.deepEqual(store.keyBlockSeqnos, keys)
  for (const id of store.head === undefined ? [] : [store.head.id, ...store.shardTops]) {
    assert.ok(store.findState(id) !== undefined)
  }
}

/** For `assert.throws` and `assert.rejects`. */
export const isChainError =
  (pattern: RegExp) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof ChainDataError, String(error))
    assert.match(error.message, pattern)
    return true
  }
