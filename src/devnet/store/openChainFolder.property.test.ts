import assert from 'node:assert/strict'
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { appendSteps, expectSteps, openFolder } from '../../../test/support/chainFolder.ts'
import { makeSyntheticSteps } from '../../../test/support/SyntheticChain.ts'
import { tempFolder } from '../../../test/support/tempFolder.ts'
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

/** Opens a folder made of the stages' files, each cut to a length (none where it is 0), and says how many steps are there. */
const countSteps = async ({ folder }: Stages, lengths: ReadonlyMap<string, number>): Promise<number> => {
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
  const chain = await openFolder(copy)
  const { store } = chain
  const count = store.head?.id.seqno ?? 0
  expectSteps(store, steps.slice(0, count))
  // It goes on as if nothing had happened.
  appendSteps(store, steps.slice(count))
  expectSteps(store, steps)
  await chain.close()
  const again = await openFolder(copy)
  expectSteps(again.store, steps)
  await again.close()
  return count
}

test('a process that ends while it writes a step leaves the steps before it, wherever it was', async (t) => {
  const stages = await makeStages(t)
  let opened = 0
  for (const last of [4, 5]) {
    const before = stages.sizes[last - 1]!
    const after = stages.sizes[last]!
    // The order of writing: packages of shards, of the masterchain, then the log.
    const order = [...listPaths(stages.folder).filter((path) => /\.0_8/.test(path)), ...listPaths(stages.folder)]
    const lengths = new Map(before)
    for (const path of new Set(
      order.filter((path) => !path.endsWith('.log')).concat(order.filter((path) => path.endsWith('.log'))),
    )) {
      const isLog = path.endsWith('.log')
      const [from, to] = [before.get(path)!, after.get(path)!]
      const stride = isLog ? 1 : 97
      for (let length = from; length < to; length += stride) {
        lengths.set(path, length)
        assert.equal(await countSteps(stages, lengths), last - 1, `${path} with ${length} bytes`)
        opened++
      }
      lengths.set(path, to)
    }
    assert.equal(await countSteps(stages, lengths), last)
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
      const count = await countSteps(stages, cut)
      const isWhole = (sizes: ReadonlyMap<string, number>): boolean =>
        paths.every((path) => sizes.get(path)! <= cut.get(path)!)
      assert.equal(count, stages.sizes.findLastIndex(isWhole))
    }),
    { seed, numRuns: 60 },
  )
})

test('whatever bytes change, a chain opens with a part of its steps or is refused', async (t) => {
  t.diagnostic(`seed ${seed}`)
  const { folder, sizes } = await makeStages(t)
  const copy = `${folder}-changed`
  let refused = 0
  const changes = fc.array(
    fc.record({
      file: fc.constantFrom(...sizes[STEPS]!.keys()),
      at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      bits: fc.integer({ min: 1, max: 255 }),
    }),
    { minLength: 1, maxLength: 3 },
  )
  await fc.assert(
    fc.asyncProperty(changes, async (list) => {
      rmSync(copy, { recursive: true, force: true })
      cpSync(folder, copy, { recursive: true })
      for (const { file, at, bits } of list) {
        const path = join(copy, file.slice(folder.length))
        const bytes = readFileSync(path)
        bytes[Math.floor(at * bytes.length)]! ^= bits
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
    { seed, numRuns: 150 },
  )
  assert.ok(refused > 20)
  t.diagnostic(`${refused} of 150 refused`)
})
