import type { TlArguments, TlTypes, TlUnion } from './tlTypes.ts'

// Names for the TL types that code outside this folder speaks of.

export type AnyLiteServerBlockLink = TlUnion<'liteServer.BlockLink'>
export type AnyLiteServerSignatureSet = TlUnion<'liteServer.SignatureSet'>
export type LiteServerAccountDispatchQueueInfo = TlTypes['liteServer.accountDispatchQueueInfo']
export type LiteServerAccountId = TlTypes['liteServer.accountId']
export type LiteServerAccountState = TlTypes['liteServer.accountState']
export type LiteServerAllShardsInfo = TlTypes['liteServer.allShardsInfo']
export type LiteServerBlockData = TlTypes['liteServer.blockData']
export type LiteServerBlockHeader = TlTypes['liteServer.blockHeader']
export type LiteServerBlockLinkBack = TlTypes['liteServer.blockLinkBack']
export type LiteServerBlockLinkForward = TlTypes['liteServer.blockLinkForward']
export type LiteServerBlockOutMsgQueueSize = TlTypes['liteServer.blockOutMsgQueueSize']

export type LiteServerBlockTransactions = TlTypes['liteServer.blockTransactions']
export type LiteServerBlockTransactionsExt = TlTypes['liteServer.blockTransactionsExt']
export type LiteServerConfigInfo = TlTypes['liteServer.configInfo']

export type LiteServerDispatchQueueMessage = TlTypes['liteServer.dispatchQueueMessage']

export type LiteServerError = TlTypes['liteServer.error']

export type LiteServerGetDispatchQueueMessages = TlArguments['liteServer.getDispatchQueueMessages']

export type LiteServerGetTransactions = TlArguments['liteServer.getTransactions']

export type LiteServerLibraryEntry = TlTypes['liteServer.libraryEntry']
export type LiteServerLibraryResult = TlTypes['liteServer.libraryResult']
export type LiteServerLibraryResultWithProof = TlTypes['liteServer.libraryResultWithProof']
export type LiteServerListBlockTransactions = TlArguments['liteServer.listBlockTransactions']
export type LiteServerLookupBlock = TlArguments['liteServer.lookupBlock']
export type LiteServerLookupBlockResult = TlTypes['liteServer.lookupBlockResult']
export type LiteServerLookupBlockWithProof = TlArguments['liteServer.lookupBlockWithProof']
export type LiteServerMasterchainInfo = TlTypes['liteServer.masterchainInfo']
export type LiteServerOutMsgQueueSizes = TlTypes['liteServer.outMsgQueueSizes']
export type LiteServerPartialBlockProof = TlTypes['liteServer.partialBlockProof']

export type LiteServerShardBlockLink = TlTypes['liteServer.shardBlockLink']
export type LiteServerShardBlockProof = TlTypes['liteServer.shardBlockProof']

export type LiteServerTransactionId = TlTypes['liteServer.transactionId']

export type LiteServerTransactionList = TlTypes['liteServer.transactionList']
export type LiteServerTransactionMetadata = TlTypes['liteServer.transactionMetadata']

export type LiteServerWaitMasterchainSeqno = TlArguments['liteServer.waitMasterchainSeqno']
