import type { VirtualMachine } from '../../chain/ports.ts'
import type { Logger } from '../../observe/Logger.ts'
import type { Address } from '../../primitives/Address.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import type { FaceContext } from '../face/LiteFunction.ts'
import type { ChainStore } from '../store/ChainStore.ts'
import type { DevAccount } from '../wallets/createDevAccounts.ts'
import { assembleNetwork } from './assembleNetwork.ts'
import { beginChain } from './beginChain.ts'
import { expectMining } from './bounds.ts'
import { chooseFacts, type NetworkWishes } from './chooseFacts.ts'
import { createControls, type NetworkParts } from './createControls.ts'
import { findAccounts } from './findAccounts.ts'
import { createFirstStates } from './firstStates.ts'
import type { Mining, NetworkControls } from './NetworkControls.ts'
import { type NetworkFacts, writeNetworkFile } from './networkFile.ts'
import { deriveKeys } from './networkKeys.ts'
import { openNetworkStore } from './openNetworkStore.ts'

export type NetworkOptions = NetworkWishes & {
  readonly vm: VirtualMachine
  readonly logger: Logger
  /** Where the network is kept; `undefined` leaves nothing behind. */
  readonly folder: string | undefined
  readonly mining: Mining
  /** For how many masterchain blocks back states are kept; 0 keeps all. */
  readonly keepStates: number
}

/** A network that runs in this process. */
export interface Network {
  readonly controls: NetworkControls
  readonly store: ChainStore
  readonly vm: VirtualMachine
  /** The first key block, from which on light clients check everything. */
  readonly initBlock: BlockIdExt
  readonly accounts: readonly DevAccount[]
  readonly faucet: Address
  /** What a liteserver answers from. */
  readonly face: FaceContext
  /** Finishes the block that is being made, and closes the files. */
  close(): Promise<void>
}

/** Starts a network, or goes on with the one in the folder. It has a key block when this resolves. */
export const createNetwork = async (options: NetworkOptions): Promise<Network> => {
  const { vm, logger, folder, mining, keepStates } = options
  expectMining(mining)
  const facts = await chooseFacts(folder, options)
  const keys = deriveKeys(facts.seed)
  const accounts = findAccounts(facts.accountSeed)
  const opened = await openNetworkStore({
    folder,
    createFirstStates: async () => createFirstStates(facts, keys, await accounts),
    keepStates,
    logger,
  })
  try {
    const parts = assembleNetwork({ facts, keys, store: opened.store, vm, logger, mining })
    const initBlock = await beginChain(parts, facts.shards)
    parts.miner.start()
    return {
      controls: createControls(parts, () => saveClock(folder, facts, parts)),
      store: opened.store,
      vm,
      initBlock,
      accounts: await accounts,
      faucet: parts.faucet.address,
      face: faceOf(parts),
      close: async () => {
        parts.miner.stop()
        await parts.turns.close()
        await opened.close()
      },
    }
  } catch (error) {
    await opened.close()
    throw error
  }
}

const faceOf = ({ store, vm, clock, gate }: NetworkParts): FaceContext => ({
  store,
  vm,
  now: clock.now,
  sendMessage: async (body) => {
    await gate.take(body)
  },
})

const saveClock = async (folder: string | undefined, facts: NetworkFacts, { clock }: NetworkParts): Promise<void> => {
  if (folder !== undefined) await writeNetworkFile(folder, { ...facts, clockOffset: clock.offset })
}
