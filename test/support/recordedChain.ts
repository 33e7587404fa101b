import type { IndexedChain } from '../../src/cli/index/openChain.ts'
import { openLocalStates } from '../../src/cli/index/openChain.ts'
import { createLocalStates } from '../../src/indexer/sources/accountStates.ts'
import { createBlockSetSource } from '../../src/indexer/sources/createBlockSetSource.ts'
import { fixturePath } from './fixtures.ts'
import { openPackages } from './localnetSources.ts'
import { loadLocalnetStore } from './localnetStore.ts'
import { tempFolder } from './tempFolder.ts'

/** The recorded network as a chain to index, from its packages and its first states. */
export const openRecordedChain = async (t: { after(ending: () => unknown): void }): Promise<IndexedChain> => {
  const packages = openPackages()
  const blockSets = createBlockSetSource(packages)
  const stateFiles = ['zerostate', 'basestate0'].map((name) => fixturePath(`localnet/config/${name}.boc`))
  const states = await openLocalStates(tempFolder(t), { stateFiles, source: packages, blockSets, sync: false })
  t.after(() => states.close())
  const { rootHash: zeroState } = (await loadLocalnetStore()).zeroState
  return { blockSets, states: createLocalStates(states), zeroState, order: 'ascending' }
}
