import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { appendSteps, copyFolder, expectSteps, isChainError, openFolder } from '../../../test/support/chainFolder.ts'
import { makeSyntheticSteps, SyntheticChain } from '../../../test/support/SyntheticChain.ts'
import { tempFolder } from '../../../test/support/tempFolder.ts'
import { ArchiveFolder } from '../../node/archive/ArchiveFolder.ts'
import { createLogger } from '../../observe/Logger.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import { putU32LE } from '../../primitives/bytes.ts'
import type { ChainFolderOptions } from './openChainFolder.ts'
import { packPath } from './packPaths.ts'

const logger = createLogger({ level: 'silent', format: 'json', colours: false, write: () => undefined })
const { zeroStates, steps } = makeSyntheticSteps(24, { keyEvery: 9 })
const other = makeSyntheticSteps(0, { salt: 1 })

const open = (folder: string, options: Partial<ChainFolderOptions> = {}) =>
  openFolder(folder, { zeroStates, ...options })

/** Opens what is in a folder now as another process would; says which steps had to be applied again. */
const listApplied = async (t: TestContext, folder: string, count: number): Promise<number[]> => {
  const applied: number[] = []
  const onProgress = (seqno: number) => applied.push(seqno)
  const chain = await openFolder(copyFolder(t, folder), { checkpointEvery: 4, onProgress })
  expectSteps(chain.store, steps.slice(0, count))
  await chain.close()
  return applied
}

describe('a chain in a folder', () => {
  it('is there again after it was closed, and goes on', async (t) => {
    const folder = tempFolder(t)
    const first = await open(folder)
    assert.equal(first.isNew, true)
    expectSteps(first.store, [])
    appendSteps(first.store, steps.slice(0, 11))
    expectSteps(first.store, steps.slice(0, 11))
    await Promise.all([first.close(), first.close()])
    const second = await open(folder)
    assert.equal(second.isNew, false)
    expectSteps(second.store, steps.slice(0, 11))
    appendSteps(second.store, steps.slice(11))
    expectSteps(second.store, steps)
    await second.close()
    assert.deepEqual(readdirSync(folder).sort(), ['archive', 'basestate0.boc', 'chain.log', 'states', 'zerostate.boc'])
    assert.throws(() => second.store.append(steps[0]!), isChainError(/Expected masterchain block 25/))
    assert.throws(() => second.store.findBytes(steps[0]!.master.id), isChainError(/is closed/))
  })

  it('is there again after its process was gone, from the newest checkpoint that is right', async (t) => {
    const folder = tempFolder(t)
    const chain = await open(folder, { checkpointEvery: 4 })
    const states = join(folder, 'states')
    for (const { master, ...step } of steps.slice(0, 23)) {
      chain.store.append({ master, ...step })
      // A checkpoint is written between other things, which have to give it the time.
      const path = join(states, `${master.id.seqno}.boc`)
      while (master.id.seqno % 4 === 0 && !existsSync(path)) await new Promise((resolve) => setTimeout(resolve, 1))
    }
    // Five are kept: all from 19 on can be made from 16.
    assert.deepEqual(readdirSync(states).sort(), ['16.boc', '20.boc'])
    assert.deepEqual(await listApplied(t, folder, 23), [17, 18, 19, 20, 21, 22, 23])
    const earlier = readFileSync(join(states, '16.boc'))
    writeFileSync(join(states, '16.boc'), readFileSync(join(states, '20.boc')))
    assert.deepEqual(await listApplied(t, folder, 23), [21, 22, 23], 'states of another block are no use')
    truncateSync(join(states, '20.boc'), earlier.length - 1)
    assert.equal((await listApplied(t, folder, 23)).length, 23)
    rmSync(states, { recursive: true })
    assert.equal((await listApplied(t, folder, 23)).length, 23)
    writeFileSync(join(folder, 'zerostate.boc.new'), 'left by a start that was interrupted')
    await chain.close()
    assert.deepEqual(readdirSync(states), ['23.boc'])
    assert.deepEqual(await listApplied(t, folder, 23), [], 'too few states are better than a long chain from its start')
  })

  for (const keep of [1, 5, 12, 100, 0]) {
    it(`has the states of the last ${keep === 0 ? 'blocks, all of them,' : `${keep} blocks`} after every start`, async (t) => {
      const folder = tempFolder(t)
      for (let from = 0; from < steps.length; from += 4) {
        const before = await open(folder, { keep, checkpointEvery: 3 })
        for (const step of steps.slice(from, from + 4)) {
          before.store.append(step)
          await new Promise((resolve) => setTimeout(resolve, 2))
        }
        const head = before.store.head!.id.seqno
        const idsOf = (seqno: number) => [
          steps[seqno - 1]!.master.id,
          ...steps[seqno - 1]!.shardBlocks.map(({ id }) => id),
        ]
        const kept = steps
          .slice(keep === 0 ? 0 : Math.max(0, head - keep), head)
          .flatMap((_, k, all) => idsOf(head - all.length + 1 + k))
        const hashes = kept.map((id) => before.store.findState(id)!.hash())
        // As another process would find it were this one killed now, and after a clean end.
        const copy = copyFolder(t, folder)
        await before.close()
        for (const place of [copy, folder]) {
          const after = await openFolder(place, { keep, checkpointEvery: 3 })
          assert.deepEqual(
            kept.map((id) => after.store.findState(id)?.hash()),
            hashes,
          )
          await after.close()
        }
      }
      assert.ok(readdirSync(join(folder, 'states')).length <= 8)
    })
  }

  it('has the states of the last 1000 blocks after a start, from a checkpoint and not from the first states', async (t) => {
    const [keep, every] = [1000, 500]
    // The states of a shorter chain are all made from the first ones.
    const length = 2 * (keep + every) + 70
    const folder = tempFolder(t)
    const synthetic = new SyntheticChain({ accounts: 2, touched: 1 })
    const before = await openFolder(folder, { zeroStates: synthetic.zeroStates, keep })
    const states: { readonly id: BlockIdExt; readonly hash: Uint8Array }[] = []
    for (let seqno = 1; seqno <= length; seqno++) {
      const step = synthetic.next(before.store)
      before.store.append(step)
      for (const { id } of [step.master, ...step.shardBlocks]) {
        if (seqno > length - keep) states.push({ id, hash: before.store.findState(id)!.hash() })
      }
      if (seqno % every !== 0) continue
      while (!existsSync(join(folder, 'states', `${seqno}.boc`))) await new Promise((resolve) => setTimeout(resolve, 1))
    }
    assert.equal(states.length, 2 * keep)
    const copy = copyFolder(t, folder)
    await before.close()
    for (const place of [copy, folder]) {
      let applied = 0
      const after = await openFolder(place, { keep, onProgress: () => applied++ })
      const found = states.filter(({ id }) => after.store.findState(id) !== undefined)
      assert.equal(found.length, states.length, `states of ${found.length / 2} blocks`)
      for (const { id, hash } of states) assert.deepEqual(after.store.findState(id)!.hash(), hash)
      assert.ok(applied < keep + 2 * every, `${applied} blocks were applied`)
      await after.close()
    }
  })

  it('goes on without checkpoints where none can be written, and says so now and then', async (t) => {
    const folder = tempFolder(t)
    const lines: string[] = []
    const watching = createLogger({ level: 'warn', format: 'json', colours: false, write: (line) => lines.push(line) })
    const chain = await open(folder, { checkpointEvery: 4, logger: watching })
    writeFileSync(join(folder, 'states'), 'not a folder')
    for (const step of steps) {
      chain.store.append(step)
      const expected = Math.floor(step.master.id.seqno / 4)
      while (lines.length < expected) await new Promise((resolve) => setTimeout(resolve, 1))
      assert.equal(lines.length, expected)
    }
    assert.match(lines[0]!, /"message":"checkpoint write failed","seqno":4,"reason":"E/)
    await chain.close()
    const again = await openFolder(folder)
    expectSteps(again.store, steps)
    await again.close()
  })

  it('has packages that other tools read', async (t) => {
    const folder = tempFolder(t)
    const chain = await open(folder)
    appendSteps(chain.store, steps)
    const archive = new ArchiveFolder({ location: folder, logger })
    for (const { master, shardBlocks, proof } of steps) {
      assert.deepEqual(await archive.findMasterchainBlock(master.id.seqno), master.id)
      for (const { id, bytes } of [master, ...shardBlocks]) assert.deepEqual(await archive.getBlock(id), bytes)
      assert.deepEqual((await archive.findProof(master.id))?.bytes, proof)
    }
    await chain.close()
  })

  it('refuses a folder that holds something else, and says what', async (t) => {
    const folder = tempFolder(t)
    await assert.rejects(openFolder(folder), isChainError(/^Expected a chain in .*, but the folder has none/))
    const chain = await open(folder)
    appendSteps(chain.store, steps.slice(0, 2))
    await assert.rejects(open(folder), isChainError(/in use by this process already/))
    await chain.close()
    await assert.rejects(open(folder, other), isChainError(/holds another chain: it began with/))
    let made = 0
    const lazy = await open(folder, { zeroStates: () => other.zeroStates.slice(made++) })
    assert.equal(made, 0, 'first states are only made for a chain that begins')
    expectSteps(lazy.store, steps.slice(0, 2))
    await lazy.close()

    const log = join(folder, 'chain.log')
    const whole = readFileSync(log)
    const newer = Uint8Array.from(whole)
    putU32LE(newer, 8, 2)
    writeFileSync(log, newer)
    await assert.rejects(open(folder), isChainError(/newer version .* its layout is 2, known are those up to 1/))
    writeFileSync(log, whole.subarray(0, 40))
    await assert.rejects(open(folder), isChainError(/^The header of the log .* is damaged/))
    writeFileSync(log, 'what is this')
    await assert.rejects(open(folder), isChainError(/is not the log of a chain/))
    rmSync(log)
    await assert.rejects(open(folder), isChainError(/holds archive packages but no chain.log/))
    writeFileSync(log, whole)
    writeFileSync(join(folder, 'basestate0.boc'), other.zeroStates[1]!.bytes)
    await assert.rejects(open(folder), isChainError(/basestate0.boc is not the state that the chain in .* began with/))
    rmSync(join(folder, 'basestate0.boc'))
    await assert.rejects(open(folder), isChainError(/cannot be opened: ENOENT/))
    assert.equal(existsSync(join(folder, 'lock')), false)
  })

  it('refuses a log that is damaged before its end', async (t) => {
    const folder = tempFolder(t)
    const chain = await open(folder)
    appendSteps(chain.store, steps)
    await chain.close()
    const log = join(folder, 'chain.log')
    const whole = readFileSync(log)
    // In the first states, in a length, in a block, in the middle.
    for (const at of [30, 160, 260, whole.length >> 1]) {
      const damaged = Uint8Array.from(whole)
      damaged[at]! ^= 1
      writeFileSync(log, damaged)
      await assert.rejects(open(folder), isChainError(/is damaged/), `byte ${at}`)
    }
    writeFileSync(log, whole)
    const again = await open(folder)
    expectSteps(again.store, steps)
    await again.close()
  })

  it('takes back what it could not write, and may try again', async (t) => {
    const folder = tempFolder(t)
    const chain = await open(folder)
    appendSteps(chain.store, steps.slice(0, 8))
    // The key block begins a new package, whose name is taken.
    const path = packPath(folder, 9, -1)
    mkdirSync(path, { recursive: true })
    const refused = isChainError(/^Block \(-1,8000000000000000,9\) cannot be written to its package: .*EISDIR/)
    assert.throws(() => chain.store.append(steps[8]!), refused)
    expectSteps(chain.store, steps.slice(0, 8))
    assert.equal(existsSync(packPath(folder, 9, 0)), false, 'the package of the shard block is gone again')
    assert.throws(() => chain.store.append(steps[8]!), refused)
    rmSync(path, { recursive: true })
    appendSteps(chain.store, steps.slice(8))
    expectSteps(chain.store, steps)
    await chain.close()
    const again = await open(folder)
    expectSteps(again.store, steps)
    await again.close()
  })
})
