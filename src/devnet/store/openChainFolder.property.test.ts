import assert from 'node:assert/strict'
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { appendSteps, expectSteps, openFolder } from '../../../test/support/chainFolder.ts'
import { makeSyntheticSteps } from '../../../test/support/SyntheticChain.ts'
import { tempFolder } from '../../../test/support/tempFolder.ts'
import { isLong } from '../../../test/support/testLength.ts'
import { ChainDataError } from './errors.ts'
import { packPath } from './packPaths.ts'

const seed = Number(process.env['FC_SEED'] ?? 1)
const STEPS = 5
const { zeroStates, steps } = makeSyntheticSteps(STEPS + 1, { keyEvery: 4 })

/** The files of the folder after each step. */
type Stages = { readonly folder: string; readonly sizes: readonly ReadonlyMap<string, number>[] }

const listPaths = (folder: string): string[] => [
  join(folder, 'chain.log'),
  ...[0, 4].flatMap((slice) => [packPath(folder, slice, -1), packPath(folder, slice, 0)]),
]

const makeStages = async (t: TestContext): Promise<Stages> => {
  const folder = join(tempFolder(t), 'chain')
  const chain = await openFolder(folder, { zeroStates })
  const measure = () =>
    new Map(listPaths(folder).map((path) => [path, statSync(path, { throwIfNoEntry: false })?.size ?? 0]))
  const sizes = [measure()]
  for (const step of steps.slice(0, STEPS)) {
    chain.store.append(step)
    sizes.push(measure())
  }
  return { folder, sizes }
}

/** A folder made of the stages' files, each cut to a length; those of length 0 are not there. */
const cutFolder = ({ folder }: Stages, lengths: ReadonlyMap<string, number>): string => {
  const copy = `${folder}-cut`
  rmSync(copy, { recursive: true, force: true })
  mkdirSync(copy, { recursive: true })
  for (const name of ['zerostate.boc', 'basestate0.boc']) copyFileSync(join(folder, name), join(copy, name))
  for (const [path, length] of lengths) {
    if (length === 0) continue
    const to = join(copy, path.slice(folder.length))
    mkdirSync(dirname(to), { recursive: true })
    copyFileSync(path, to)
    truncateSync(to, length)
  }
  return copy
}

/** Opens such a folder and says how many steps are there, which are those that were written. */
const countSteps = async (folder: string): Promise<number> => {
  const chain = await openFolder(folder)
  const count = chain.store.head?.id.seqno ?? 0
  expectSteps(chain.store, steps.slice(0, count))
  await chain.close()
  return count
}

/** It goes on as if nothing had happened. */
const expectToGoOn = async (folder: string): Promise<void> => {
  const chain = await openFolder(folder)
  appendSteps(chain.store, steps.slice(chain.store.head?.id.seqno ?? 0))
  expectSteps(chain.store, steps)
  await chain.close()
  assert.equal(await countSteps(folder), steps.length)
}

test('a process that ends while it writes a step leaves the steps before it, wherever it was', async (t) => {
  const stages = await makeStages(t)
  // As they are written: packages of shards, of the masterchain, then the log. The fourth step begins new packages.
  const paths = listPaths(stages.folder).reverse()
  let opened = 0
  for (const last of [4, 5]) {
    const before = stages.sizes[last - 1]!
    const after = stages.sizes[last]!
    const lengths = new Map(before)
    for (const path of paths) {
      const stride = (path.endsWith('.log') && last === STEPS ? 1 : 61) * (isLong ? 1 : 3)
      for (let length = before.get(path)!; length < after.get(path)!; length += stride) {
        lengths.set(path, length)
        const folder = cutFolder(stages, lengths)
        assert.equal(await countSteps(folder), last - 1, `${path} with ${length} bytes`)
        if (++opened % 20 === 0) await expectToGoOn(folder)
      }
      lengths.set(path, after.get(path)!)
    }
    assert.equal(await countSteps(cutFolder(stages, lengths)), last)
  }
  t.diagnostic(`${opened} folders opened`)
})

test('a machine that lost what was not yet on its disk comes back with a part of the steps', async (t) => {
  t.diagnostic(`seed ${seed}`)
  const stages = await makeStages(t)
  const full = stages.sizes[STEPS]!
  const header = stages.sizes[0]!.get(join(stages.folder, 'chain.log'))!
  const paths = [...full.keys()]
  const lengths = fc.tuple(...paths.map((path) => fc.oneof(fc.constant(full.get(path)!), fc.nat(full.get(path)!))))
  await fc.assert(
    fc.asyncProperty(lengths, async (chosen) => {
      const cut = new Map(
        paths.map((path, k) => [path, path.endsWith('.log') ? Math.max(header, chosen[k]!) : chosen[k]!]),
      )
      const folder = cutFolder(stages, cut)
      const count = await countSteps(folder)
      const isWhole = (sizes: ReadonlyMap<string, number>): boolean =>
        paths.every((path) => sizes.get(path)! <= cut.get(path)!)
      assert.equal(count, stages.sizes.findLastIndex(isWhole))
      await expectToGoOn(folder)
    }),
    { seed, numRuns: isLong ? 60 : 20 },
  )
})

test('whatever bytes change, a chain opens with a part of its steps or is refused', async (t) => {
  t.diagnostic(`seed ${seed}`)
  const { folder, sizes } = await makeStages(t)
  const copy = `${folder}-changed`
  const numRuns = isLong ? 150 : 50
  let refused = 0
  const changes = fc.array(
    fc.record({
      file: fc.constantFrom(...sizes[STEPS]!.keys()),
      millionths: fc.nat(999_999),
      bits: fc.integer({ min: 1, max: 255 }),
    }),
    { minLength: 1, maxLength: 3 },
  )
  await fc.assert(
    fc.asyncProperty(changes, async (list) => {
      rmSync(copy, { recursive: true, force: true })
      cpSync(folder, copy, { recursive: true })
      for (const { file, millionths, bits } of list) {
        const path = join(copy, file.slice(folder.length))
        const bytes = readFileSync(path)
        bytes[Math.floor((millionths / 1e6) * bytes.length)]! ^= bits
        writeFileSync(path, bytes)
      }
      try {
        const chain = await openFolder(copy)
        const count = chain.store.head?.id.seqno ?? 0
        assert.ok(count <= STEPS)
        for (const { master } of steps.slice(0, count))
          assert.deepEqual(chain.store.findMaster(master.id.seqno)?.id, master.id)
        await chain.close()
      } catch (error) {
        assert.ok(error instanceof ChainDataError, String(error))
        refused++
      }
    }),
    { seed, numRuns },
  )
  assert.ok(refused > numRuns / 8)
  t.diagnostic(`${refused} of ${numRuns} refused`)
})
