import { join } from 'node:path'
import { after, test } from 'node:test'
import { openKeptStates } from '../../src/cli/index/openKeptStates.ts'
import { createKeptStates } from '../../src/indexer/sources/createKeptStates.ts'
import { createLiveStates } from '../../src/indexer/sources/createLiveStates.ts'
import { createUnitSource } from '../../src/indexer/sources/createUnitSource.ts'
import { createLiveChain } from '../../src/node/live/createLiveChain.ts'
import { haveDatabase, openFreshDatabase } from '../support/database.ts'
import { fixturesRoot, haveFixtures } from '../support/fixtures.ts'
import { indexChain } from '../support/indexing.ts'
import { openLocalnetNode, openPackages } from '../support/localnetSources.ts'
import { assertSameIndex } from '../support/sampleIndex/assertSameIndex.ts'
import { dumpIndex } from '../support/sampleIndex/dumpIndex.ts'
import { tempFolder } from '../support/tempFolder.ts'
import { closeSharedMachine } from '../support/testNetwork.ts'

after(closeSharedMachine)

const LAST = 400

test('the recorded chain from its liteserver and from its packages', { timeout: 300_000 }, async (t) => {
  if (!haveFixtures(t, 'localnet') || !haveDatabase(t)) return
  const node = await openLocalnetNode(t)
  const live = await openFreshDatabase(t)
  const liveUnits = createUnitSource(node)
  const zeroState = (await node.getZeroState()).rootHash
  const liveChain = {
    units: liveUnits,
    states: createLiveStates(createLiveChain(node), liveUnits),
    zeroState,
    order: 'newestFirst',
  } as const
  const first = await indexChain(t, liveChain, live, { to: LAST })
  console.log(first.progress, first.logged.slice(0, 5))

  const packages = openPackages(t)
  const kept = await openFreshDatabase(t)
  const units = createUnitSource(packages)
  const stateFiles = ['zerostate', 'basestate0'].map((name) => join(fixturesRoot, `localnet/config/${name}.boc`))
  const states = await openKeptStates(tempFolder(t), { stateFiles, source: packages, units, sync: false })
  t.after(() => states.close())
  const chain = { units, states: createKeptStates(states), zeroState, order: 'ascending' } as const
  const second = await indexChain(t, chain, kept, { to: LAST })
  console.log(second.progress, second.logged.slice(0, 5))
  assertSameIndex(await dumpIndex(live), await dumpIndex(kept))
})
