import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { makeSyntheticSteps } from '../../../test/support/SyntheticChain.ts'
import { tempFolder } from '../../../test/support/tempFolder.ts'
import type { CellArena } from '../../codec/cell/CellArena.ts'
import { CellWriter } from '../../codec/cell/CellWriter.ts'
import { formatBlockIdExt } from '../../primitives/BlockId.ts'
import { toHex } from '../../primitives/hex.ts'
import { stateHashAfter } from './applyBlock.ts'
import type { MasterStep } from './ChainStore.ts'
import { ChainDataError } from './errors.ts'
import { openStateFolder, type StateFolder, type StateFolderOptions } from './openStateFolder.ts'
import type { StepSource } from './StateHistory.ts'

const { signal } = new AbortController()
const LENGTH = 90
const { zeroStates, steps } = makeSyntheticSteps(LENGTH)

const sourceOf = (chain: readonly MasterStep[]): StepSource & { applied: number[] } => {
  const blocks = new Map(
    chain.flatMap(({ master, shardBlocks }) =>
      [master, ...shardBlocks].map((each) => [formatBlockIdExt(each.id), each]),
    ),
  )
  const applied: number[] = []
  return {
    applied,
    getStep: async (seqno) => {
      applied.push(seqno)
      return chain[seqno - 1]!
    },
    getBlock: async (id) => blocks.get(formatBlockIdExt(id))!,
  }
}

const open = async (t: TestContext, path: string, more: Partial<StateFolderOptions> = {}): Promise<StateFolder> => {
  const start = zeroStates.map(({ bytes }) => bytes)
  const folder = await openStateFolder(path, {
    start,
    blocks: sourceOf(steps),
    checkpointEvery: 10,
    sync: false,
    ...more,
  })
  t.after(() => folder.close())
  return folder
}

const expectStates = async (
  folder: StateFolder,
  seqno: number,
  chain: readonly MasterStep[] = steps,
): Promise<void> => {
  const { id, master, shards } = await folder.openAt(seqno, signal)
  assert.equal(formatBlockIdExt(id), formatBlockIdExt(chain[seqno - 1]!.master.id))
  const find = sourceOf(chain)
  for (const each of [{ id, state: master }, ...shards]) {
    const expected =
      each.id.seqno === 0 ? each.id.rootHash : stateHashAfter((await find.getBlock(each.id, signal)).root)
    assert.equal(toHex(each.state.hash()), toHex(expected), `after ${seqno}`)
  }
}

const listFiles = (path: string): number[] =>
  readdirSync(join(path, 'states'))
    .map((name) => Number.parseInt(name, 10))
    .sort((a, b) => a - b)

test('the states after any block can be had, in any order and all at once', async (t) => {
  const folder = await open(t, tempFolder(t))
  assert.equal(folder.firstSeqno, 0)
  for (const seqno of [40, 41, 80, 17, 16, 3, 50, 81, 82, 60, 59, 1, 90]) await expectStates(folder, seqno)
  await Promise.all([5, 90, 33, 71].map((seqno) => expectStates(folder, seqno)))
})

test('blocks whose states were made can go', async (t) => {
  const folder = await open(t, tempFolder(t))
  for (let seqno = 1; seqno <= LENGTH; seqno++) await folder.openAt(seqno, signal)
  // The next cell goes to where the last ones are, and keeps alive what they refer to.
  const held = new Set<CellArena>()
  const visit = (arena: CellArena): void => {
    if (held.has(arena)) return
    held.add(arena)
    for (const cell of arena.foreign) visit(cell.arena)
  }
  visit(new CellWriter().toCell().arena)
  const blocks = steps.flatMap(({ master, shardBlocks }) => [master, ...shardBlocks])
  const left = blocks.filter(({ root }) => held.has(root.arena)).length
  // As many as have their cells in one slab.
  assert.ok(left < blocks.length / 2, `${left} of ${blocks.length} blocks are held`)
})

test('a start goes on from the newest checkpoint that is not above what is asked for', async (t) => {
  const path = tempFolder(t)
  const first = await open(t, path)
  await first.openAt(45, signal)
  await first.close()
  await assert.rejects(first.openAt(46, signal), ChainDataError)
  assert.deepEqual(listFiles(path), [10, 20, 30, 40, 45])
  for (const [seqno, expected] of [
    [47, [45, 46, 47]],
    [33, [30, 31, 32, 33]],
  ] as const) {
    const blocks = sourceOf(steps)
    await expectStates(await open(t, path, { blocks }), seqno)
    assert.deepEqual(blocks.applied, expected)
  }
})

test('of many checkpoints few are kept, evenly', async (t) => {
  const path = tempFolder(t)
  const folder = await open(t, path, { checkpointEvery: 5, maxCheckpoints: 6 })
  for (let seqno = 1; seqno <= LENGTH; seqno++) {
    await folder.openAt(seqno, signal)
    // Each is written before the next is due.
    if (seqno % 5 === 0) await new Promise((resolve) => setTimeout(resolve, 20))
  }
  await folder.close()
  const left = listFiles(path)
  assert.ok(left.length <= 7 && left.includes(90) && left.includes(40), left.join())
  await expectStates(await open(t, path), 44)
})

test('a block that does not follow is refused, and after it the right one is taken', async (t) => {
  const blocks = sourceOf(steps)
  let wrong = true
  const skipping: StepSource = {
    ...blocks,
    getStep: (seqno, each) => blocks.getStep(wrong && seqno === 12 ? 13 : seqno, each),
  }
  const folder = await open(t, tempFolder(t), { blocks: skipping })
  await assert.rejects(folder.openAt(20, signal), /Expected masterchain block 12, but got \(-1,8000000000000000,13\)/)
  wrong = false
  await expectStates(folder, 20)
})

test('checkpoints of another chain are passed over', async (t) => {
  const path = tempFolder(t)
  const first = await open(t, path)
  await first.openAt(20, signal)
  await first.close()
  const other = makeSyntheticSteps(25, { accounts: 40 })
  const start = other.zeroStates.map(({ bytes }) => bytes)
  const folder = await open(t, path, { start, blocks: sourceOf(other.steps) })
  await expectStates(folder, 25, other.steps)
})

test('states that grow too large are refused with a reason', async (t) => {
  const folder = await open(t, tempFolder(t), { maxCells: 100 })
  await assert.rejects(folder.openAt(20, signal), /take more than 100 cells/)
})

test('what is no longer wanted ends', async (t) => {
  const blocks = sourceOf(steps)
  const controller = new AbortController()
  const reason = new Error('no longer wanted')
  const slow: StepSource = {
    ...blocks,
    getStep: async (seqno, each) => {
      if (seqno === 15) controller.abort(reason)
      return blocks.getStep(seqno, each)
    },
  }
  const folder = await open(t, tempFolder(t), { blocks: slow })
  await assert.rejects(folder.openAt(80, controller.signal), reason)
  await expectStates(folder, 30)
})
