import type { IndexedChain } from '../../../src/cli/index/openChain.ts'
import { createLiveStates } from '../../../src/indexer/sources/accountStates.ts'
import { createBlockSetSource } from '../../../src/indexer/sources/createBlockSetSource.ts'
import { createLiveChain } from '../../../src/node/createLiveChain.ts'
import type { ProvenNode } from '../../../src/node/ProvenNode.ts'
import { openLocalnetNode, openStoreNode } from '../localnetSources.ts'
import { shareMachine } from '../testNetwork.ts'
import { makeTokenNetwork, type TokenNetworkOptions } from './makeTokenNetwork.ts'
import { type RecordedChain, recordChain } from './recordChain.ts'

/** About 10,000 transactions in 110 masterchain blocks. */
export const defaultNetwork = { payers: 120, rounds: 16 } as const

export type RecordChainsOptions = {
  /** Of the embedded network. */
  readonly network: TokenNetworkOptions
  /** Whether the recorded network is among them; it is, if nothing is said. */
  readonly localnet?: boolean
  readonly signal: AbortSignal
}

const toChain = async (node: ProvenNode): Promise<IndexedChain> => {
  const { rootHash: zeroState } = await node.getZeroState()
  const blockSets = createBlockSetSource(node)
  return { blockSets, states: createLiveStates(createLiveChain(node), blockSets), zeroState, order: 'ascending' }
}

/** Ends in the reverse order of what was begun. */
const withEndings = async <T>(work: (t: { after(ending: () => unknown): void }) => Promise<T>): Promise<T> => {
  const endings: (() => unknown)[] = []
  try {
    return await work({ after: (ending) => void endings.push(ending) })
  } finally {
    for (const ending of endings.reverse()) await ending()
  }
}

/** The chains to multiply: the recorded one, unless it is not wanted, and an embedded network with many tokens. */
export const recordChains = async (options: RecordChainsOptions): Promise<RecordedChain[]> => {
  const network = await recordNetwork(options)
  return options.localnet === false ? [network] : [await recordLocalnet(options), network]
}

const recordLocalnet = ({ signal }: RecordChainsOptions): Promise<RecordedChain> =>
  withEndings(async (t) => {
    const chain = await toChain(await openLocalnetNode(t))
    const { seqno: last } = await chain.blockSets.getHead(signal)
    return recordChain(chain, { name: 'localnet', last, vm: await shareMachine(), signal })
  })

/** The embedded network alone: the same in every clone. */
export const recordNetwork = ({ network: wishes, signal }: RecordChainsOptions): Promise<RecordedChain> =>
  withEndings(async (t) => {
    const { store, initBlock } = await makeTokenNetwork(t, wishes, signal)
    const chain = await toChain(await openStoreNode(t, store, initBlock))
    const { seqno: last } = store.head!.id
    return recordChain(chain, { name: 'network', last, vm: await shareMachine(), signal })
  })
