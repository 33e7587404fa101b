import { type Static, Type } from 'typebox'
import { isIndexed } from '../../../store/reader/blocks.ts'
import { findAdjacentTransactions } from '../../../store/reader/findTransactions.ts'
import type { TransactionRow } from '../../../store/reader/TransactionRecord.ts'
import { listTransactions } from '../../../store/reader/transactions.ts'
import { listTransactionsByMessage } from '../../../store/reader/transactionsByMessage.ts'
import { optional, param, shownAs } from '../../core/params.ts'
import { expectShowable, NotIndexedError, RefusedRequestError } from '../errors.ts'
import { findBodyHash, MessageDirectionParam } from '../filterParams.ts'
import { distinctKeys, hydrateAddressBook } from '../hydrate/hydrate.ts'
import { showTransactions } from '../hydrate/showTransactions.ts'
import {
  addressFilterParam,
  addressListParam,
  addressParam,
  hashListParam,
  hashParam,
  int32Param,
  ltParam,
  opcodeParam,
  pageParams,
  requiredSeqnoParam,
  ShardParam,
  sortParam,
  windowParams,
} from '../params.ts'
import type { V3Context } from '../V3Context.ts'
import { v3Endpoint } from '../v3Endpoint.ts'
import { addressesOfTransactions, TransactionsView } from '../views/transactions.ts'

/** The response of the endpoints that list transactions. */
const answerTransactions = async (
  context: V3Context,
  rows: readonly TransactionRow[],
  lookahead?: TransactionRow,
): Promise<Static<typeof TransactionsView>> => {
  const { transactions, beside } = await showTransactions(
    context,
    rows,
    (ends) => hydrateAddressBook(context, addressesOfTransactions(ends)),
    lookahead,
  )
  const { budget } = context
  return { transactions: await budget.writeRows(transactions, (each) => each.toView(budget)), ...beside }
}

/** Throws if a masterchain block is not in the index. */
const expectIndexed = async ({ keyedReads }: Pick<V3Context, 'keyedReads'>, mcSeqno: number): Promise<void> => {
  if (!(await isIndexed(keyedReads, mcSeqno))) throw new NotIndexedError(`masterchain block ${mcSeqno} not found`)
}

export const transactions = v3Endpoint({
  name: 'transactions',
  tags: ['blockchain data'],
  summary: 'List transactions, newest first.',
  params: {
    workchain: optional(int32Param('Workchain of the block.')),
    shard: optional(ShardParam),
    seqno: optional(int32Param('Block seqno.')),
    mc_seqno: optional(int32Param('Masterchain seqno that was the first to include the block.')),
    account: optional(addressFilterParam('Account addresses to include.')),
    exclude_account: optional(addressListParam('Account addresses to exclude.')),
    hash: optional(hashListParam('Their hashes.')),
    lt: optional(ltParam('Logical time of the transaction.')),
    ...windowParams('a transaction'),
    sort: sortParam(),
    ...pageParams,
  },
  result: TransactionsView,
  errors: ['not_indexed', 'cursor_refused', 'query_too_costly'],
  async handle(context, params) {
    const { mc_seqno: mcSeqno, account } = params
    if (account?.length === 0) return answerTransactions(context, [])
    const filter = {
      workchain: params.workchain,
      shard: params.shard,
      seqno: params.seqno,
      mcSeqno,
      accounts: account && distinctKeys(account),
      excludedAccounts: params.exclude_account,
      hashes: params.hash,
      lt: params.lt,
      time: { from: params.start_utime, to: params.end_utime },
      startLt: params.start_lt,
      endLt: params.end_lt,
      direction: params.sort,
    }
    const { rows, next, lookahead } = await listTransactions(context.listReads, filter, context.readPage(params))
    // A block with rows is indexed.
    if (rows.length === 0 && mcSeqno !== undefined) await expectIndexed(context, mcSeqno)
    context.tellNext(next)
    return answerTransactions(context, expectShowable(rows), lookahead)
  },
})

/** Any other value means both, as in the original service. */
const SideParam = shownAs(
  param(Type.String(), (text): 'in' | 'out' | 'both' => (text === 'in' || text === 'out' ? text : 'both')),
  Type.Union([Type.Literal('in'), Type.Literal('out')], {
    description: 'in: the parent transaction; out: the child transactions; default: both.',
  }),
)

export const adjacentTransactions = v3Endpoint({
  name: 'adjacentTransactions',
  tags: ['blockchain data'],
  summary: 'Parent and child transactions of a transaction in its trace.',
  params: { hash: hashParam('Transaction hash.'), direction: optional(SideParam) },
  result: TransactionsView,
  errors: ['not_indexed', 'query_too_costly'],
  async handle(context, { hash, direction = 'both' }) {
    const rows = await findAdjacentTransactions(context, hash, direction)
    if (rows.length === 0) throw new NotIndexedError('adjacent transactions not found')
    return answerTransactions(context, expectShowable(rows))
  },
})

export const transactionsByMasterchainBlock = v3Endpoint({
  name: 'transactionsByMasterchainBlock',
  tags: ['blockchain data'],
  summary: 'Transactions of a masterchain block, and of the shard blocks that it was the first to include.',
  params: { seqno: requiredSeqnoParam('Masterchain seqno.'), sort: sortParam(), ...pageParams },
  result: TransactionsView,
  errors: ['not_indexed', 'cursor_refused', 'query_too_costly'],
  async handle(context, params) {
    const { seqno: mcSeqno, sort: direction } = params
    const filter = { mcSeqno, time: {}, direction }
    const { rows, next } = await listTransactions(context.listReads, filter, context.readPage(params))
    // A block with rows is indexed.
    if (rows.length === 0) await expectIndexed(context, mcSeqno)
    context.tellNext(next)
    return answerTransactions(context, expectShowable(rows))
  },
})

export const transactionsByMessage = v3Endpoint({
  name: 'transactionsByMessage',
  tags: ['blockchain data'],
  summary: 'Transactions that received or sent the given messages, newest first.',
  params: {
    msg_hash: optional(hashListParam('Message hashes, plain or normalized.')),
    body_hash: optional(hashParam('Body hash.')),
    opcode: optional(opcodeParam('Opcode of the received message: first 32 bits of its body.')),
    direction: optional(MessageDirectionParam),
    source: optional(addressParam('Source address.')),
    destination: optional(addressParam('Destination address.')),
    sort: sortParam(),
    ...pageParams,
  },
  result: TransactionsView,
  errors: ['cursor_refused', 'query_too_costly'],
  async handle(context, params) {
    const { msg_hash: hashes, body_hash: bodyHash, opcode, source, destination, direction: side, sort } = params
    if (hashes === undefined && bodyHash === undefined && opcode === undefined) {
      throw new RefusedRequestError('at least one of msg_hash, body_hash, opcode should be specified')
    }
    const { rows, next } = await listTransactionsByMessage(
      context,
      { hashes, bodyHash: bodyHash && findBodyHash(bodyHash), opcode, source, destination, side, direction: sort },
      context.readPage(params),
    )
    context.tellNext(next)
    return answerTransactions(context, rows)
  },
})
