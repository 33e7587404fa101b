import type { LiteServerMasterchainInfo } from '../../codec/tl/liteServerTypes.ts'
import type { ChainStore } from '../store/ChainStore.ts'
import { getState, newestMaster, openState } from './blockAccess.ts'
import { type LiteFunction, LiteserverError, REQUEST_ERROR } from './LiteFunction.ts'

/** The newest masterchain block, whose shard blocks are all there, and where the chain began. */
export const getMasterchainInfo: LiteFunction<'liteServer.getMasterchainInfo'> = ({ store }) => describeMaster(store)

const describeMaster = (store: ChainStore): LiteServerMasterchainInfo => {
  const last = newestMaster(store)
  const { workchain, rootHash, fileHash } = store.zeroState
  return { last, stateRootHash: getState(store, last).hash(), init: { workchain, rootHash, fileHash } }
}

/**
 * The protocol as we speak it: 1.1; proof chains, masterchainInfoExt, get-methods, and the shard client's block in
 * masterchainInfoExt.
 */
const serverVersion = { version: 0x101, capabilities: 15n } as const

/** Asks for the block that the shard client has reached. Here no block is taken up before its shard blocks: it is the same. */
const SHARD_CLIENT = 1

/** As getMasterchainInfo, with the times that tell how far behind a server is. */
export const getMasterchainInfoExt: LiteFunction<'liteServer.getMasterchainInfoExt'> = (context, args) => {
  const mode = args.mode & 0x7fff_ffff
  if ((mode & ~SHARD_CLIENT) !== 0) throw new LiteserverError(REQUEST_ERROR, 'unsupported getMasterchainInfo mode')
  const { store } = context
  const { genUtime } = openState(getState(store, newestMaster(store)))
  return { mode, ...serverVersion, ...describeMaster(store), lastUtime: genUtime | 0, now: context.now() }
}

export const getTime: LiteFunction<'liteServer.getTime'> = (context) => ({ now: context.now() })

export const getVersion: LiteFunction<'liteServer.getVersion'> = (context) => ({
  mode: 0,
  ...serverVersion,
  now: context.now(),
})

/** Hands an external message to the network. That it was taken does not mean that it will be in a block. */
export const sendMessage: LiteFunction<'liteServer.sendMessage'> = async (context, { body }) => {
  await context.sendMessage(body)
  return { status: 1 }
}
