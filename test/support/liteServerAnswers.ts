import type { TlArguments, TlTypes } from '../../src/codec/tl/tlTypes.ts'

export type LiteServerBlockState = TlTypes['liteServer.blockState']

export type LiteServerDispatchQueueInfo = TlTypes['liteServer.dispatchQueueInfo']

export type LiteServerDispatchQueueMessages = TlTypes['liteServer.dispatchQueueMessages']

export type LiteServerGetDispatchQueueInfo = TlArguments['liteServer.getDispatchQueueInfo']

export type LiteServerGetShardInfo = TlArguments['liteServer.getShardInfo']

export type LiteServerGetValidatorStats = TlArguments['liteServer.getValidatorStats']

export type LiteServerRunMethodResult = TlTypes['liteServer.runMethodResult']

export type LiteServerShardInfo = TlTypes['liteServer.shardInfo']

export type LiteServerSignatureSetOrdinary = TlTypes['liteServer.signatureSet.ordinary']

export type LiteServerSignatureSetSimplex = TlTypes['liteServer.signatureSet.simplex']

export type LiteServerTransactionId3 = TlTypes['liteServer.transactionId3']

export type LiteServerTransactionInfo = TlTypes['liteServer.transactionInfo']

export type LiteServerValidatorStats = TlTypes['liteServer.validatorStats']

export type TonNodeBlockId = TlTypes['tonNode.blockId']

export type TonNodeBlockIdExt = TlTypes['tonNode.blockIdExt']
