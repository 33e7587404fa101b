import { AugDict, writeAugDict } from '../../src/codec/cell/AugDict.ts'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import { Dict } from '../../src/codec/cell/Dict.ts'
import { writeWhole } from '../../src/codec/cell/wholeCell.ts'
import { writeAccount } from '../../src/codec/tlb/Account.ts'
import { type InMsg, inMsgDescrType } from '../../src/codec/tlb/InMsgDescr.ts'
import {
  dispatchedMessagesType,
  dispatchQueueType,
  outMsgQueueType,
  processedInfoType,
  writeOutMsgQueueInfo,
} from '../../src/codec/tlb/OutMsgQueueInfo.ts'
import type { ShardAccount } from '../../src/codec/tlb/ShardAccounts.ts'
import { libPublishersType } from '../../src/codec/tlb/StateInit.ts'
import {
  type AccountBlock,
  accountTransactionsType,
  outMsgsType,
  writeTransaction,
} from '../../src/codec/tlb/Transaction.ts'
import { putU16BE } from '../../src/primitives/bytes.ts'
import { ProvableChain } from './ProvableChain.ts'
import { address, amount, envelopeCell, externalMessage, filled, internalMessage, marker } from './sampleMessages.ts'
import { activeAccount, frozenAccount, uninitAccount } from './sampleState.ts'

/** The accounts of the made-up chain, in the order of their ids. */
export const busyAccount = (number: number): Uint8Array => {
  const id = new Uint8Array(32)
  putU16BE(id, 0, number)
  return id
}

/** Account 0 has this many transactions in the first block and one in the second; every other has one in the first. */
export const OWN_TRANSACTIONS = 40
const ACCOUNTS = 300
export const TRANSACTIONS = OWN_TRANSACTIONS + ACCOUNTS - 1
/** Messages of this many accounts are put off, one of each, and many of account 5. */
export const WAITING_ACCOUNTS = 70
export const WAITING_OF_ONE = 80
export const LIBRARIES = 20
export const ACTIVE_ACCOUNT = 7
export const FROZEN_ACCOUNT = 9

export const busyLibrary = (number: number): Cell => marker(0x11b00 + number)

type Link = { readonly lt: bigint; readonly hash: Uint8Array }

const start: Link = { lt: 0n, hash: new Uint8Array(32) }

const makeTransaction = (account: Uint8Array, lt: bigint, previous: Link, inMsg: Cell | undefined): Cell =>
  writeWhole(writeTransaction, {
    accountAddr: account,
    lt,
    prevTransHash: previous.hash,
    prevTransLt: previous.lt,
    now: 1_700_000_000,
    outMsgCount: 0,
    origStatus: 'uninit',
    endStatus: 'uninit',
    inMsg,
    outMsgs: Dict.of(outMsgsType, []),
    totalFees: amount(1n),
    stateUpdate: { oldHash: filled(1), newHash: filled(2) },
    description: {
      kind: 'storage',
      storagePhase: { storageFeesCollected: 1n, storageFeesDue: undefined, statusChange: 'unchanged' },
    },
  })

const toAccountBlock = (account: Uint8Array, transactions: readonly (readonly [bigint, Cell])[]): AccountBlock => ({
  accountAddr: account,
  transactions: AugDict.of(accountTransactionsType, transactions),
  stateUpdate: { oldHash: filled(3), newHash: filled(4) },
})

/** Every third transaction has a message with metadata, every third one from outside, and every third none. */
const makeInMsg = (number: number, lt: bigint): InMsg | undefined => {
  if (number % 3 === 2) return undefined
  if (number % 3 === 1) return { kind: 'external', msg: externalMessage(), transaction: marker(1) }
  const message = internalMessage({ value: amount(1n), createdLt: lt })
  const metadata = { depth: number, initiatorAddr: address(0, 3), initiatorLt: lt - 1n }
  return {
    kind: 'final',
    inMsg: envelopeCell(message, { version: 2, metadata }),
    transaction: marker(1),
    fwdFee: 0n,
  }
}

const messageOf = (number: number, lt: bigint): Cell | undefined => {
  if (number % 3 === 2) return undefined
  return number % 3 === 1 ? externalMessage() : internalMessage({ value: amount(1n), createdLt: lt })
}

const makeFirstBlock = () => {
  const blocks: (readonly [Uint8Array, AccountBlock])[] = []
  const inMsgs: (readonly [Uint8Array, InMsg])[] = []
  const last: Link[] = []
  let lt = 1_000_000n
  for (let number = 0; number < ACCOUNTS; number++) {
    const account = busyAccount(number)
    const transactions: (readonly [bigint, Cell])[] = []
    let link = start
    for (let k = 0; k < (number === 0 ? OWN_TRANSACTIONS : 1); k++) {
      lt++
      const message = messageOf(number + k, lt)
      const inMsg = makeInMsg(number + k, lt)
      if (message !== undefined && inMsg !== undefined) inMsgs.push([message.hash(), inMsg])
      const transaction = makeTransaction(account, lt, link, message)
      transactions.push([lt, transaction])
      link = { lt, hash: transaction.hash() }
    }
    blocks.push([account, toAccountBlock(account, transactions)])
    last.push(link)
  }
  const unique = new Map(inMsgs.map(([hash, inMsg]) => [hash.join(), [hash, inMsg] as const]))
  const inMsgDescr = AugDict.of(inMsgDescrType({ ihrFeeCounts: false }), unique.values())
  return { blocks, last, inMsgDescr: writeWhole(writeAugDict, inMsgDescr), endLt: lt + 1n }
}

const toShardAccount = (number: number, { lt, hash }: Link): ShardAccount => {
  const kind = number === ACTIVE_ACCOUNT ? activeAccount : number === FROZEN_ACCOUNT ? frozenAccount : uninitAccount
  const own = { ...kind, address: { ...address(0, 0), hash: busyAccount(number) } }
  return { account: writeWhole(writeAccount, own), lastTransHash: hash, lastTransLt: lt }
}

const makeQueues = (): Cell => {
  const toWaiting = (lt: bigint) => {
    const message = internalMessage({ value: amount(1n), createdLt: lt })
    const metadata = { depth: 1, initiatorAddr: address(0, 3), initiatorLt: lt }
    const envelope = lt % 2n === 0n ? envelopeCell(message) : envelopeCell(message, { version: 2, metadata })
    return [lt, { enqueuedLt: lt, outMsg: envelope }] as const
  }
  const queues = Array.from({ length: WAITING_ACCOUNTS }, (_, number) => {
    const count = number === 5 ? WAITING_OF_ONE : 1
    const messages = Array.from({ length: count }, (__, k) => toWaiting(1000n + BigInt(100 * number + k)))
    return [busyAccount(number), { messages: Dict.of(dispatchedMessagesType, messages), count }] as const
  })
  return writeWhole(writeOutMsgQueueInfo, {
    outQueue: AugDict.of(outMsgQueueType),
    procInfo: Dict.of(processedInfoType, []),
    extra: { dispatchQueue: AugDict.of(dispatchQueueType, queues), outQueueSize: 5 },
  })
}

const makeLibraries = () =>
  Array.from({ length: LIBRARIES }, (_, number) => {
    const lib = busyLibrary(number)
    const publishers = Array.from({ length: 20 }, (__, k) => [busyAccount(k), true] as const)
    return [lib.hash(), { lib, publishers: Dict.of(libPublishersType, publishers) }] as const
  })

/** A chain with more in it than any page holds: three masterchain blocks over two blocks of the basechain. */
export const makeBusyChain = (): ProvableChain => {
  const chain = new ProvableChain()
  const { blocks, last, inMsgDescr, endLt } = makeFirstBlock()
  const accounts = last.map((link, number) => [busyAccount(number), toShardAccount(number, link)] as const)
  const queues = makeQueues()
  chain.addShardBlock({ accounts, accountBlocks: blocks, inMsgDescr, queues, info: { endLt } })
  chain.addMasterchainBlock(true)
  const account = busyAccount(0)
  const transaction = makeTransaction(account, 2_000_001n, last[0]!, undefined)
  const newest = { lt: 2_000_001n, hash: transaction.hash() }
  accounts[0] = [account, toShardAccount(0, newest)]
  chain.addShardBlock({
    accounts,
    accountBlocks: [[account, toAccountBlock(account, [[newest.lt, transaction]])]],
  })
  chain.addMasterchainBlock(false, { libraries: makeLibraries() })
  chain.addMasterchainBlock(false, { libraries: makeLibraries() })
  return chain
}
