import { getAllShardsInfo } from './functions/getAllShardsInfo.ts'
import { getBlock } from './functions/getBlock.ts'
import { getBlockHeader } from './functions/getBlockHeader.ts'
import { getBlockProof } from './functions/getBlockProof.ts'
import { getConfigAll } from './functions/getConfigAll.ts'
import { getConfigParams } from './functions/getConfigParams.ts'
import { getMasterchainInfo } from './functions/getMasterchainInfo.ts'
import { getMasterchainInfoExt } from './functions/getMasterchainInfoExt.ts'
import { getPendingShardBlocks } from './functions/getPendingShardBlocks.ts'
import { getShardBlockProof } from './functions/getShardBlockProof.ts'
import { getShardInfo } from './functions/getShardInfo.ts'
import { getState } from './functions/getState.ts'
import { getTime } from './functions/getTime.ts'
import { getValidatorStats } from './functions/getValidatorStats.ts'
import { getVersion } from './functions/getVersion.ts'
import { lookupBlock } from './functions/lookupBlock.ts'
import { lookupBlockWithProof } from './functions/lookupBlockWithProof.ts'
import { sendMessage } from './functions/sendMessage.ts'
import type { LiteFunctions } from './LiteFunction.ts'

/** The questions about the server, the chain, its blocks and its configuration. */
export const blockFunctions = {
  'liteServer.getTime': getTime,
  'liteServer.getVersion': getVersion,
  'liteServer.getMasterchainInfo': getMasterchainInfo,
  'liteServer.getMasterchainInfoExt': getMasterchainInfoExt,
  'liteServer.getBlock': getBlock,
  'liteServer.getState': getState,
  'liteServer.getBlockHeader': getBlockHeader,
  'liteServer.lookupBlock': lookupBlock,
  'liteServer.lookupBlockWithProof': lookupBlockWithProof,
  'liteServer.getShardInfo': getShardInfo,
  'liteServer.getAllShardsInfo': getAllShardsInfo,
  'liteServer.getShardBlockProof': getShardBlockProof,
  'liteServer.getBlockProof': getBlockProof,
  'liteServer.getConfigAll': getConfigAll,
  'liteServer.getConfigParams': getConfigParams,
  'liteServer.getValidatorStats': getValidatorStats,
  'liteServer.nonfinal.getPendingShardBlocks': getPendingShardBlocks,
  'liteServer.sendMessage': sendMessage,
} satisfies LiteFunctions
