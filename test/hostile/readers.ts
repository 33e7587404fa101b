import type { Cell } from '../../src/codec/cell/Cell.ts'
import { type CellReader, openCell } from '../../src/codec/cell/CellReader.ts'
import { writeWhole } from '../../src/codec/cell/wholeCell.ts'
import { readDnsText } from '../../src/codec/content/dns.ts'
import { readComment, readSnake } from '../../src/codec/content/text.ts'
import { readAccount } from '../../src/codec/tlb/Account.ts'
import { readBlock, readBlockExtra, readValueFlow } from '../../src/codec/tlb/Block.ts'
import { readBlockInfo } from '../../src/codec/tlb/BlockInfo.ts'
import { readBlockProof } from '../../src/codec/tlb/BlockProof.ts'
import { readBlockSignatures } from '../../src/codec/tlb/BlockSignatures.ts'
import { readCurrencyCollection } from '../../src/codec/tlb/CurrencyCollection.ts'
import { readConfigParams } from '../../src/codec/tlb/config/configParams.ts'
import { readInMsg } from '../../src/codec/tlb/InMsgDescr.ts'
import { readMcBlockExtra } from '../../src/codec/tlb/McBlockExtra.ts'
import { readMcStateExtra } from '../../src/codec/tlb/McStateExtra.ts'
import { normalizedExternalHash, readMessage, readMessageRelaxed, writeMessage } from '../../src/codec/tlb/Message.ts'
import { readMsgEnvelope } from '../../src/codec/tlb/MsgEnvelope.ts'
import { readOutList } from '../../src/codec/tlb/OutList.ts'
import { readOutMsg } from '../../src/codec/tlb/OutMsgDescr.ts'
import { readEnqueuedMsg, readOutMsgQueueInfo } from '../../src/codec/tlb/OutMsgQueueInfo.ts'
import { readShardAccount } from '../../src/codec/tlb/ShardAccounts.ts'
import { listShards, readShardHashes } from '../../src/codec/tlb/ShardHashes.ts'
import { readShardState } from '../../src/codec/tlb/ShardState.ts'
import { readStateInit } from '../../src/codec/tlb/StateInit.ts'
import { listOutMsgs, readAccountBlock, readTransaction, writeTransaction } from '../../src/codec/tlb/Transaction.ts'
import { readTransactionDescr } from '../../src/codec/tlb/TransactionDescr.ts'
import { readValidatorSet } from '../../src/codec/tlb/ValidatorSet.ts'
import { readVmStack, readVmStackValue, writeVmStack } from '../../src/codec/tlb/VmStack.ts'
import { decodeConfigParam } from '../support/decodeConfigParam.ts'
import { readDnsContent } from '../support/dnsContent.ts'
import { readTokenContent } from '../support/tokenContent.ts'

export type NamedReader = {
  readonly name: string
  readonly read: (cell: Cell) => unknown
  /** Writes again what was read. */
  readonly rewrite: ((value: never) => unknown) | undefined
}

const plain: Readonly<Record<string, (r: CellReader) => unknown>> = {
  account: readAccount,
  accountBlock: readAccountBlock,
  block: readBlock,
  blockExtra: readBlockExtra,
  blockInfo: readBlockInfo,
  blockProof: readBlockProof,
  blockSignatures: readBlockSignatures,
  comment: readComment,
  configParams: readConfigParams,
  currencyCollection: readCurrencyCollection,
  dnsContent: readDnsContent,
  dnsText: readDnsText,
  enqueuedMsg: readEnqueuedMsg,
  inMsg: readInMsg,
  mcBlockExtra: readMcBlockExtra,
  mcStateExtra: readMcStateExtra,
  messageRelaxed: readMessageRelaxed,
  msgEnvelope: readMsgEnvelope,
  outList: readOutList,
  outMsg: readOutMsg,
  outMsgQueueInfo: readOutMsgQueueInfo,
  shardAccount: readShardAccount,
  shardState: readShardState,
  snake: readSnake,
  stateInit: readStateInit,
  tokenContent: readTokenContent,
  transactionDescr: readTransactionDescr,
  validatorSet: readValidatorSet,
  valueFlow: readValueFlow,
  vmStackValue: readVmStackValue,
}

const reader = <T>(name: string, read: (cell: Cell) => T, rewrite?: (value: T) => unknown): NamedReader => ({
  name,
  read,
  rewrite,
})

const composed: readonly NamedReader[] = [
  reader(
    'message',
    (cell) => readMessage(openCell(cell)),
    (message) => {
      if (message.info.kind === 'externalIn') normalizedExternalHash(message)
      return writeWhole(writeMessage, message).hash()
    },
  ),
  reader(
    'transaction',
    (cell) => readTransaction(openCell(cell)),
    (transaction) => {
      listOutMsgs(transaction)
      return writeWhole(writeTransaction, transaction).hash()
    },
  ),
  reader(
    'vmStack',
    (cell) => readVmStack(openCell(cell)),
    (stack) => writeWhole(writeVmStack, stack).hash(),
  ),
  reader('shards', (cell) => listShards(readShardHashes(openCell(cell)))),
  ...[0, 12, 18, 20, 28, 31, 32, 34, 39, 43, 44, 71].map((id) =>
    reader(`configParam ${id}`, (cell) => decodeConfigParam(id, cell)),
  ),
]

/** Everything that may be tried on a cell of unknown origin. */
export const readers: readonly NamedReader[] = [
  ...Object.entries(plain).map(([name, read]) => reader(name, (cell) => read(openCell(cell)))),
  ...composed,
]
