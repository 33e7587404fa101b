import type { LiteFunction } from '../LiteFunction.ts'
import { LiteRefusal, REQUEST_ERROR } from '../LiteRefusal.ts'
import { openState } from '../openState.ts'
import { getState, newestMaster } from '../referenceBlock.ts'
import { serverVersion } from '../serverVersion.ts'
import { describeMaster } from './getMasterchainInfo.ts'

/** Asks for the block that the shard client has reached. Here no block is taken up before its shard blocks: it is the same. */
const SHARD_CLIENT = 1

/** As getMasterchainInfo, with the times that tell how far behind a server is. */
export const getMasterchainInfoExt: LiteFunction<'liteServer.getMasterchainInfoExt'> = (context, args) => {
  const mode = args.mode & 0x7fff_ffff
  if ((mode & ~SHARD_CLIENT) !== 0) throw new LiteRefusal(REQUEST_ERROR, 'unsupported getMasterchainInfo mode')
  const { store } = context
  const { genUtime } = openState(getState(store, newestMaster(store)))
  return { mode, ...serverVersion, ...describeMaster(store), lastUtime: genUtime | 0, now: context.now() }
}
