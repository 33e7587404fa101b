import type { IndexedChain } from '../../../src/cli/index/openChain.ts'
import { createLiveStates } from '../../../src/indexer/sources/accountStates.ts'
import { createBlockSetSource } from '../../../src/indexer/sources/createBlockSetSource.ts'
import { createLiveChain } from '../../../src/node/createLiveChain.ts'
import { pause } from '../../../src/primitives/scheduling.ts'
import { openLocalnetNode } from '../localnetSources.ts'
import type { Cleanup } from '../tempFolder.ts'

/** The recorded network, which gives out a block at most every so many ms, as a network that grows does. */
export const openPacedChain = async (t: Cleanup, everyMs: number): Promise<IndexedChain> => {
  const node = await openLocalnetNode(t)
  const { rootHash: zeroState } = await node.getZeroState()
  const blockSets = createBlockSetSource(node)
  let next = 0
  const fetchBlockSet: typeof blockSets.fetchBlockSet = async (seqno, signal) => {
    next = Math.max(next + everyMs, performance.now())
    await pause(next - performance.now(), signal)
    return blockSets.fetchBlockSet(seqno, signal)
  }
  return {
    blockSets: { ...blockSets, getHead: (signal) => blockSets.getHead(signal), fetchBlockSet },
    states: createLiveStates(createLiveChain(node), blockSets),
    zeroState,
    order: 'ascending',
  }
}
