import { getAccountState } from './functions/getAccountState.ts'
import { getAccountStatePrunned } from './functions/getAccountStatePrunned.ts'
import { getBlockOutMsgQueueSize } from './functions/getBlockOutMsgQueueSize.ts'
import { getDispatchQueueInfo } from './functions/getDispatchQueueInfo.ts'
import { getDispatchQueueMessages } from './functions/getDispatchQueueMessages.ts'
import { getLibraries } from './functions/getLibraries.ts'
import { getLibrariesWithProof } from './functions/getLibrariesWithProof.ts'
import { getOneTransaction } from './functions/getOneTransaction.ts'
import { getOutMsgQueueSizes } from './functions/getOutMsgQueueSizes.ts'
import { getTransactions } from './functions/getTransactions.ts'
import { listBlockTransactions } from './functions/listBlockTransactions.ts'
import { listBlockTransactionsExt } from './functions/listBlockTransactionsExt.ts'
import { runSmcMethod } from './functions/runSmcMethod.ts'
import type { LiteFunctions } from './LiteFunction.ts'

/** The questions about accounts, their transactions, libraries and queues. */
export const accountFunctions = {
  'liteServer.getAccountState': getAccountState,
  'liteServer.getAccountStatePrunned': getAccountStatePrunned,
  'liteServer.runSmcMethod': runSmcMethod,
  'liteServer.getOneTransaction': getOneTransaction,
  'liteServer.getTransactions': getTransactions,
  'liteServer.listBlockTransactions': listBlockTransactions,
  'liteServer.listBlockTransactionsExt': listBlockTransactionsExt,
  'liteServer.getLibraries': getLibraries,
  'liteServer.getLibrariesWithProof': getLibrariesWithProof,
  'liteServer.getOutMsgQueueSizes': getOutMsgQueueSizes,
  'liteServer.getBlockOutMsgQueueSize': getBlockOutMsgQueueSize,
  'liteServer.getDispatchQueueInfo': getDispatchQueueInfo,
  'liteServer.getDispatchQueueMessages': getDispatchQueueMessages,
} satisfies LiteFunctions
