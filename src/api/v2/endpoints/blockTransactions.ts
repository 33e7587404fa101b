import { type Static, Type } from 'typebox'
import type { BlockPage, BlockTransactionKey, BlockTransactionPage } from '../../../chain/LiveChain.ts'
import { formatRawAddress } from '../../../primitives/Address.ts'
import type { BlockIdExt } from '../../../primitives/BlockId.ts'
import { toBase64 } from '../../../primitives/base64.ts'
import { asJson } from '../../core/json/stringifyJson.ts'
import { optional, type ParsedOf, withDefault } from '../../core/params.ts'
import { outOfRange } from '../errors.ts'
import { getNamedBlock, namedBlockParams } from '../namedBlock.ts'
import { AfterAccountParam, BlockCountParam, ltParam } from '../params.ts'
import { toTransactionReading } from '../TransactionReading.ts'
import { v2Endpoint } from '../v2Endpoint.ts'
import { BlockIdView, toBlockIdView } from '../views/blocks.ts'
import { HashView, LtView, typeName } from '../views/scalars.ts'
import { RawTransactionExtView, writeRawTransactionExt } from '../views/transactions.ts'

/** A page of the transactions of a block. */
type BlockList<Listed> = {
  readonly block: BlockIdExt
  /** The requested maximum. */
  readonly count: number
  readonly transactions: readonly Listed[]
  readonly isComplete: boolean
}

/** Members that both lists have. */
const blockListMembers = {
  id: BlockIdView,
  req_count: Type.Integer({ description: 'Requested count.', examples: [40] }),
  incomplete: Type.Boolean({ description: 'True if more transactions may follow.' }),
}

const toBlockListMembers = ({ block, count, isComplete }: BlockList<unknown>) => ({
  id: toBlockIdView(block),
  req_count: count,
  incomplete: !isComplete,
})

/** Block, page size and cursor. */
const blockListParams = {
  ...namedBlockParams,
  after_lt: optional(ltParam('after_lt')),
  after_hash: optional(AfterAccountParam),
  count: withDefault(BlockCountParam, 40),
}

type BlockListRequest = ParsedOf<typeof blockListParams>

const checkBlockList = ({ after_lt, after_hash }: BlockListRequest): void => {
  if ((after_lt === undefined) !== (after_hash === undefined)) {
    throw outOfRange('after_lt and after_hash should be used together')
  }
}

/** Page size of nodes. */
const PAGE_SIZE = 256

type ListSource<Key extends BlockTransactionKey, Item> = {
  getPage(page: BlockPage): Promise<BlockTransactionPage<Key>>
  /** Converted page by page, so that a long list does not block the event loop. */
  toItem(listed: Key): Item
}

/** Reads a list from as many node pages as needed. */
const readBlockList = async <Key extends BlockTransactionKey, Item>(
  block: BlockIdExt,
  { count, after_lt, after_hash }: BlockListRequest,
  { getPage, toItem }: ListSource<Key, Item>,
): Promise<BlockList<Item>> => {
  const transactions: Item[] = []
  let after: BlockPage['after'] =
    after_hash === undefined || after_lt === undefined ? undefined : { account: after_hash, lt: after_lt }
  for (;;) {
    const page = await getPage({ count: Math.min(PAGE_SIZE, count - transactions.length), after })
    transactions.push(...page.transactions.map(toItem))
    const last = page.transactions.at(-1)
    if (page.isComplete || last === undefined || transactions.length >= count) {
      return { block, count, transactions, isComplete: page.isComplete }
    }
    after = last
  }
}

const ShortIdView = Type.Object(
  {
    '@type': typeName('blocks.shortTxId'),
    mode: Type.Integer({ description: 'Bit mask of present members; always all.', examples: [135] }),
    account: Type.String({ examples: ['-1:3333333333333333333333333333333333333333333333333333333333333333'] }),
    lt: LtView,
    hash: HashView,
  },
  { $id: 'ShortTxId', description: 'Transaction id.' },
)

/** Bit mask: account, lt, hash, and a cursor. */
const MODE = 135

/** The JSON of a view: a block has many, and no member needs escapes. */
const toShortIdJson = (workchain: number, { account, lt, hash }: BlockTransactionKey): string =>
  `{"@type":"blocks.shortTxId","mode":${MODE},"account":"${formatRawAddress({ workchain, hash: account })}",` +
  `"lt":"${lt}","hash":"${toBase64(hash)}"}`

const BlockTransactionsView = Type.Object(
  { '@type': typeName('blocks.transactions'), ...blockListMembers, transactions: Type.Array(ShortIdView) },
  { $id: 'BlockTransactions', description: 'Transactions of a block, ordered by account, then logical time.' },
)

const toBlockTransactionsView = (list: BlockList<string>): Static<typeof BlockTransactionsView> => ({
  '@type': 'blocks.transactions',
  ...toBlockListMembers(list),
  transactions: asJson(`[${list.transactions.join()}]`),
})

export const getBlockTransactions = v2Endpoint({
  name: 'getBlockTransactions',
  tags: ['blocks', 'transactions'],
  summary: 'List transaction ids of a block, ordered by account, then logical time.',
  description: 'For the next page, pass the account (after_hash) and lt (after_lt) of the last transaction.',
  params: blockListParams,
  result: BlockTransactionsView,
  errors: [],
  lifetime: () => 'forever',
  check: checkBlockList,
  async handle({ node }, request) {
    const block = await getNamedBlock(node, request)
    const list = await readBlockList(block, request, {
      getPage: (page) => node.listBlockTransactions(block, page),
      toItem: (key) => toShortIdJson(block.workchain, key),
    })
    return toBlockTransactionsView(list)
  },
})

const BlockTransactionsExtView = Type.Object(
  {
    '@type': typeName('blocks.transactionsExt'),
    ...blockListMembers,
    transactions: Type.Array(RawTransactionExtView),
  },
  { $id: 'BlockTransactionsExt', description: 'Full transactions of a block, ordered by account, then logical time.' },
)

const toBlockTransactionsExtView = (list: BlockList<string>): Static<typeof BlockTransactionsExtView> => ({
  '@type': 'blocks.transactionsExt',
  ...toBlockListMembers(list),
  transactions: asJson(`[${list.transactions.join()}]`),
})

export const getBlockTransactionsExt = v2Endpoint({
  name: 'getBlockTransactionsExt',
  tags: ['blocks', 'transactions'],
  summary: 'List full transactions of a block, ordered by account, then logical time.',
  description: 'For the next page, pass the account (after_hash) and lt (after_lt) of the last transaction.',
  params: blockListParams,
  result: BlockTransactionsExtView,
  errors: [],
  lifetime: () => 'forever',
  check: checkBlockList,
  async handle({ node }, request) {
    const block = await getNamedBlock(node, request)
    const list = await readBlockList(block, request, {
      getPage: (page) => node.getBlockTransactions(block, page),
      toItem: (listed) => writeRawTransactionExt(toTransactionReading(block.workchain, listed)),
    })
    return toBlockTransactionsExtView(list)
  },
})
