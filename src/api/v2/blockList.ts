import type { BlockPage, BlockTransactionKey, BlockTransactionPage } from '../../chain/LiveChain.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import { optional, type ParsedOf, withDefault } from '../core/Param.ts'
import { namedBlockParams } from './namedBlock.ts'
import { AfterAccountParam, BlockCountParam, ltParam } from './params.ts'
import { outOfRange } from './RefusedRequestError.ts'
import type { BlockList } from './views/blockListMembers.ts'

/** Which transactions of which block are wanted. */
export const blockListParams = {
  ...namedBlockParams,
  after_lt: optional(ltParam('after_lt')),
  after_hash: optional(AfterAccountParam),
  count: withDefault(BlockCountParam, 40),
}

type BlockListQuestion = ParsedOf<typeof blockListParams>

export const checkBlockList = ({ after_lt, after_hash }: BlockListQuestion): void => {
  if ((after_lt === undefined) !== (after_hash === undefined)) {
    throw outOfRange('after_lt and after_hash should be used together')
  }
}

/** What a node gives at once. */
const PAGE_SIZE = 256

type ListSource<Key extends BlockTransactionKey, Item> = {
  getPage(page: BlockPage): Promise<BlockTransactionPage<Key>>
  /** Done page by page: a long list must not keep all others waiting. */
  toItem(listed: Key): Item
}

/** Puts a list together from as many pages as it takes. */
export const readBlockList = async <Key extends BlockTransactionKey, Item>(
  block: BlockIdExt,
  { count, after_lt, after_hash }: BlockListQuestion,
  { getPage, toItem }: ListSource<Key, Item>,
): Promise<BlockList<Item>> => {
  const transactions: Item[] = []
  // A cursor that is all zeros stands before the first account.
  let after = { account: after_hash ?? new Uint8Array(32), lt: after_lt ?? 0n }
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
