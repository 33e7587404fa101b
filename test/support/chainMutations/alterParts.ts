import { AugDict } from '../../../src/codec/cell/AugDict.ts'
import type { Cell } from '../../../src/codec/cell/Cell.ts'
import { openCell } from '../../../src/codec/cell/CellReader.ts'
import { readWhole, writeWhole } from '../../../src/codec/cell/wholeCell.ts'
import type { InMsg, InMsgDescr } from '../../../src/codec/tlb/InMsgDescr.ts'
import { readMessage, writeMessage } from '../../../src/codec/tlb/Message.ts'
import { type MsgEnvelope, openMsgEnvelope, writeMsgEnvelope } from '../../../src/codec/tlb/MsgEnvelope.ts'
import type { OutMsg, OutMsgDescr } from '../../../src/codec/tlb/OutMsgDescr.ts'
import { buildShardHashes, listShards, type ShardHashes, type ShardLeaf } from '../../../src/codec/tlb/ShardHashes.ts'
import {
  type AccountBlocks,
  accountTransactionsType,
  readTransaction,
  type Transaction,
  writeTransaction,
} from '../../../src/codec/tlb/Transaction.ts'

/** The dictionary with the first fitting entry exchanged. Sums above it are made anew. */
const exchange = <K, V, E>(dict: AugDict<K, V, E>, change: (value: V) => V | undefined): AugDict<K, V, E> => {
  for (const [key, value] of dict.entries()) {
    const changed = change(value)
    if (changed !== undefined) return dict.set(key, changed)
  }
  throw new Error('No entry of the dictionary can be changed in this way.')
}

/** The dictionary without its first fitting entry. */
export const without = <K, V, E>(dict: AugDict<K, V, E>, picks: (value: V) => boolean): AugDict<K, V, E> => {
  const found = dict.entries().find(([, value]) => picks(value))
  if (found === undefined) throw new Error('No entry of the dictionary can be left out.')
  return dict.delete(found[0])
}

/** Changes the first transaction that `change` gives something for. */
export const alterTransaction = (
  blocks: AccountBlocks,
  change: (transaction: Transaction) => Partial<Transaction> | undefined,
): AccountBlocks =>
  exchange(blocks, (block) => {
    let isDone = false
    const entries = block.transactions.entries().map(([lt, cell]): [bigint, Cell] => {
      const transaction = readWhole(cell, readTransaction, 'A Transaction')
      const changed = isDone ? undefined : change(transaction)
      if (changed === undefined) return [lt, cell]
      isDone = true
      const altered = { ...transaction, ...changed }
      return [altered.lt, writeWhole(writeTransaction, altered)]
    })
    return isDone ? { ...block, transactions: AugDict.of(accountTransactionsType, entries) } : undefined
  })

export const alterMessage = (cell: Cell, change: (info: Record<string, unknown>) => Record<string, unknown>): Cell => {
  const message = readMessage(openCell(cell))
  const info = { ...message.info, ...change(message.info) } as typeof message.info
  return writeWhole(writeMessage, { ...message, info })
}

export const alterEnvelope = (cell: Cell, change: Partial<MsgEnvelope>): Cell =>
  writeWhole(writeMsgEnvelope, { ...openMsgEnvelope(cell), ...change })

export const alterInMsg = (
  descr: InMsgDescr,
  kind: InMsg['kind'],
  change: (msg: InMsg) => Partial<InMsg>,
): InMsgDescr => exchange(descr, (msg) => (msg.kind === kind ? ({ ...msg, ...change(msg) } as InMsg) : undefined))

export const alterOutMsg = (
  descr: OutMsgDescr,
  kind: OutMsg['kind'],
  change: (msg: OutMsg) => Partial<OutMsg>,
): OutMsgDescr => exchange(descr, (msg) => (msg.kind === kind ? ({ ...msg, ...change(msg) } as OutMsg) : undefined))

/** Changes the first leaf. */
export const alterLeaf = (
  hashes: ShardHashes,
  change: (leaf: ShardLeaf) => Partial<ShardLeaf['descr']>,
): ShardHashes => {
  const [first, ...rest] = listShards(hashes)
  return buildShardHashes([{ ...first!, descr: { ...first!.descr, ...change(first!) } }, ...rest])
}
