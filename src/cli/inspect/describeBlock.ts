import type { Cell } from '../../codec/cell/Cell.ts'
import { readWhole } from '../../codec/cell/wholeCell.ts'
import { openAccountBlocks, openBlock, openBlockExtra } from '../../codec/tlb/Block.ts'
import { openBlockInfo, openPrevRef } from '../../codec/tlb/BlockInfo.ts'
import { openInMsgDescr } from '../../codec/tlb/InMsgDescr.ts'
import { openOutMsgDescr } from '../../codec/tlb/OutMsgDescr.ts'
import { readTransaction } from '../../codec/tlb/Transaction.ts'
import { formatRawAddress } from '../../primitives/Address.ts'
import { formatBlockId } from '../../primitives/BlockId.ts'
import { sha256 } from '../../primitives/hash.ts'
import { toHex } from '../../primitives/hex.ts'
import { formatTime } from './describeMessage.ts'
import { summarizeTransaction } from './describeTransaction.ts'
import type { Finding } from './Finding.ts'

/** As many as a person looks at; all are counted. */
const MOST_SHOWN = 50

export const describeBlock = (root: Cell, bytes: Uint8Array): Finding => {
  const block = openBlock(root)
  const info = openBlockInfo(block.info)
  const extra = openBlockExtra(block.extra)
  const { counts, shown } = listTransactions(info.workchain, extra)
  return {
    kind: 'block',
    id: formatBlockId(info),
    root_hash: toHex(root.hash()),
    file_hash: toHex(sha256(bytes)),
    global_id: block.globalId,
    time: formatTime(info.genUtime),
    lt: `${info.startLt} to ${info.endLt}`,
    previous: openPrevRef(info).map(({ seqno, rootHash }) => `${seqno} ${toHex(rootHash)}`),
    masterchain_reference: info.masterRef?.seqno,
    key_block: info.keyBlock,
    ...marks(info),
    created_by: toHex(extra.createdBy),
    counts: {
      ...counts,
      messages_in: count(openInMsgDescr(extra.inMsgDescr)),
      messages_out: count(openOutMsgDescr(extra.outMsgDescr)),
    },
    transactions: shown,
  }
}

const marks = (info: ReturnType<typeof openBlockInfo>): Finding => {
  const names = ['afterMerge', 'afterSplit', 'beforeSplit', 'wantMerge', 'wantSplit'] as const
  const set = names
    .filter((name) => info[name])
    .map((name) => name.replace(/[A-Z]/, (letter) => ` ${letter.toLowerCase()}`))
  return set.length === 0 ? {} : { marks: set.join(', ') }
}

const listTransactions = (workchain: number, extra: ReturnType<typeof openBlockExtra>) => {
  const shown: Finding[] = []
  let accounts = 0
  let transactions = 0
  openAccountBlocks(extra).forEach((hash, { transactions: own }) => {
    accounts++
    const lines: string[] = []
    own.forEach((_lt, cell) => {
      transactions++
      if (transactions <= MOST_SHOWN) {
        lines.push(summarizeTransaction(cell, readWhole(cell, readTransaction, 'A Transaction')))
      }
    })
    if (lines.length > 0) shown.push({ [formatRawAddress({ workchain, hash })]: lines })
  })
  const more = transactions - MOST_SHOWN
  return {
    counts: { accounts, transactions },
    shown: more > 0 ? [...shown, `and ${more} more`] : shown,
  }
}

const count = (entries: { forEach(visit: () => void): void }): number => {
  let total = 0
  entries.forEach(() => {
    total++
  })
  return total
}
