import type { Cell } from '../../codec/cell/Cell.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import { PrunedBranchError } from '../../codec/cell/errors.ts'
import { readMerkleUpdate } from '../../codec/cell/merkle.ts'
import { readWhole } from '../../codec/cell/wholeCell.ts'
import { accountNoneCell, openAccount } from '../../codec/tlb/Account.ts'
import { openAccountBlocks, openBlock, openBlockExtra } from '../../codec/tlb/Block.ts'
import { openBlockInfo } from '../../codec/tlb/BlockInfo.ts'
import { openShardAccounts, type ShardAccounts } from '../../codec/tlb/ShardAccounts.ts'
import { openShardState } from '../../codec/tlb/ShardState.ts'
import { listOutMsgs, readTransaction } from '../../codec/tlb/Transaction.ts'
import { type TransactionParts, toSnapshot } from '../../emulate/records.ts'
import { addressKeyOf } from '../../primitives/Address.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import { toHex } from '../../primitives/hex.ts'
import { NO_STATE, type StateSnapshot } from '../../store/reader/TransactionRecord.ts'

/** A transaction of a shard block that the masterchain does not name yet. */
export type PendingBlockTransaction = TransactionParts & {
  /** 33 bytes. */
  readonly account: Uint8Array
  readonly hash: Uint8Array
  readonly inHash: string | undefined
  /** Data of the account after its last transaction in the block, if the block shows it. */
  readonly data: Cell | undefined
  /** The last of its account in the block. */
  readonly isLast: boolean
}

/** A shard block that the masterchain does not name yet. */
export type DecodedPendingBlock = {
  readonly id: BlockIdExt
  readonly genUtime: number
  /** Messages have extra flags instead of the IHR fee. */
  readonly hasExtraFlags: boolean
  /** By logical time. */
  readonly transactions: readonly PendingBlockTransaction[]
}

const EXTRA_FLAGS_SINCE = 12

/** No masterchain block names it yet. */
const NO_MASTERCHAIN_BLOCK = 0

/** Decodes a block whose bytes match its id. */
export const decodePendingBlock = (id: BlockIdExt, bytes: Uint8Array): DecodedPendingBlock => {
  const { info: infoCell, extra, stateUpdate } = openBlock(decodeSingleBoc(bytes))
  const info = openBlockInfo(infoCell)
  const { before, after } = readMerkleUpdate(stateUpdate)
  const states = { before: openAccounts(before), after: openAccounts(after) }
  const transactions: PendingBlockTransaction[] = []
  openAccountBlocks(openBlockExtra(extra)).forEach((hash, accountBlock) => {
    const address = { workchain: id.workchain, hash }
    const account = addressKeyOf(address)
    const cells = [...accountBlock.transactions.entries()].map(([, cell]) => cell)
    cells.forEach((cell, k) => {
      const transaction = readWhole(cell, readTransaction, 'A transaction')
      const { oldHash, newHash } = transaction.stateUpdate
      const isLast = k === cells.length - 1
      const resulting = isLast ? findAccount(states.after, hash, newHash) : undefined
      transactions.push({
        address,
        account,
        cell,
        hash: cell.hash(),
        transaction,
        inHash: transaction.inMsg && toHex(transaction.inMsg.hash()),
        outMessages: listOutMsgs(transaction),
        before: snapshotOf(k === 0 ? findAccount(states.before, hash, oldHash) : undefined, oldHash),
        after: snapshotOf(resulting, newHash),
        shard: id.shard,
        block: { seqno: id.seqno, mcSeqno: NO_MASTERCHAIN_BLOCK },
        data: resulting && findData(resulting),
        isLast,
      })
    })
  })
  transactions.sort((a, b) => (a.transaction.lt < b.transaction.lt ? -1 : a.transaction.lt > b.transaction.lt ? 1 : 0))
  const { genUtime, genSoftware } = info
  return { id, genUtime, hasExtraFlags: (genSoftware?.version ?? 0) >= EXTRA_FLAGS_SINCE, transactions }
}

/** `undefined` where a state is split, or not shown. */
const openAccounts = (state: Cell): ShardAccounts | undefined =>
  tolerant(() => {
    const opened = openShardState(state)
    return opened.kind === 'unsplit' ? openShardAccounts(opened.accounts) : undefined
  })

const findAccount = (accounts: ShardAccounts | undefined, hash: Uint8Array, expected: Uint8Array): Cell | undefined => {
  const cell = tolerant(() => accounts?.find(hash)?.account)
  return cell?.hasHash(expected, 0) === true ? cell : undefined
}

const snapshotOf = (account: Cell | undefined, hash: Uint8Array): StateSnapshot => {
  if (accountNoneCell.hasHash(hash)) return NO_STATE
  return (account && tolerant(() => toSnapshot({ account }))) ?? { hash, known: undefined }
}

const findData = (cell: Cell): Cell | undefined =>
  tolerant(() => {
    const account = openAccount(cell)
    return account.kind !== 'none' && account.state.kind === 'active' ? account.state.init.data : undefined
  })

/** What a block does not show is left out. */
const tolerant = <T>(read: () => T): T | undefined => {
  try {
    return read()
  } catch (error) {
    if (error instanceof PrunedBranchError) return undefined
    throw error
  }
}
