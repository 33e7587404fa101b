import { NodeRefusedError } from '../../chain/errors.ts'
import type { BlockHeader, LiveNode, TransactionChain, TransactionKey } from '../../chain/LiveChain.ts'
import { findStandardAddress } from '../../codec/tlb/MsgAddress.ts'
import { type Address, addressesEqual } from '../../primitives/Address.ts'
import { type BlockIdExt, masterchain } from '../../primitives/BlockId.ts'
import { bytesEqual, getU64BE } from '../../primitives/bytes.ts'
import { wholeShard } from '../../primitives/shard.ts'
import { TransactionNotFoundError } from './errors.ts'
import { AddressParam, ltParam } from './params.ts'
import { type MessageReading, type TransactionReading, toTransactionReading } from './TransactionReading.ts'

/** Identifies an internal message. */
export const routeParams = { source: AddressParam, destination: AddressParam, created_lt: ltParam('created_lt') }

type Route = { readonly source: Address; readonly destination: Address; readonly created_lt: bigint }

/** Pages of 16 transactions to search back from the last transaction. */
const RECENT_PAGES = 2
const PAGE_SIZE = 16

/** A message usually arrives within this many blocks; the original service searches no further. */
const FIRST_BLOCKS = 3

/** Then search the history as of these logical times later; a block takes a million. */
const LATER_LTS = [8_000_000n, 64_000_000n]
const LATER_PAGES = 12

/**
 * The transaction that a message triggered. Searches in a bounded number of steps: the recent history of the account, the blocks right after
 * the message, and the history some time later, for a message that was delayed.
 */
export const locateResult = async (node: LiveNode, route: Route): Promise<TransactionReading> => {
  const { destination, created_lt } = route
  const isIt = ({ inMsg }: TransactionReading): boolean => inMsg !== undefined && isOnRoute(inMsg, route)
  const back = { sinceLt: created_lt, pages: RECENT_PAGES, isIt }
  const recent = await searchHistory(node, destination, await node.getHead(), back)
  if (recent.isWhole || recent.found !== undefined) return recent.found ?? notFound()
  let block: BlockHeader | undefined = await getBlockAt(node, destination, created_lt)
  for (let n = 0; block !== undefined && n < FIRST_BLOCKS; n++) {
    const found = await searchBlock(node, block.id, destination, isIt)
    if (found !== undefined) return found
    block = await findBlockAt(node, destination, block.info.endLt + 1n)
  }
  // The chain ends there, or the account does not exist.
  if (block === undefined || recent.isAbsent) return notFound()
  return (await searchLater(node, route, isIt)) ?? notFound()
}

/** Searches the history of the account as it was some time after the message. */
const searchLater = async (
  node: LiveNode,
  { destination, created_lt }: Route,
  isIt: (reading: TransactionReading) => boolean,
): Promise<TransactionReading | undefined> => {
  for (const later of LATER_LTS) {
    const at = await findBlockAt(node, { ...destination, workchain: masterchain }, created_lt + later)
    const back = { sinceLt: created_lt, pages: LATER_PAGES, isIt }
    const search = await searchHistory(node, destination, at?.id ?? (await node.getHead()), back)
    if (search.found !== undefined || at === undefined) return search.found
  }
  return undefined
}

/** The transaction that sent a message: created_lt lies within the lt range of its block. */
export const locateSource = async (node: LiveNode, route: Route): Promise<TransactionReading> => {
  const { source, created_lt } = route
  const isIt = ({ outMsgs }: TransactionReading): boolean => outMsgs.some((message) => isOnRoute(message, route))
  const block = await getBlockAt(node, source, created_lt)
  return (await searchBlock(node, block.id, source, isIt)) ?? notFound()
}

/** If no node could search for it, the caller gets "not found". */
export const recoverLocating = (error: unknown): never => {
  throw error instanceof NodeRefusedError ? new TransactionNotFoundError({ cause: error }) : error
}

const notFound = (): never => {
  throw new TransactionNotFoundError()
}

const isOnRoute = ({ message: { info } }: MessageReading, { source, destination, created_lt }: Route): boolean => {
  if (info.kind !== 'internal' || info.createdLt !== created_lt) return false
  const from = findStandardAddress(info.source)
  const to = findStandardAddress(info.destination)
  return from !== undefined && to !== undefined && addressesEqual(from, source) && addressesEqual(to, destination)
}

type Search = {
  readonly found: TransactionReading | undefined
  /** The history was searched completely, back to `sinceLt`. */
  readonly isWhole: boolean
  readonly isAbsent: boolean
}

type Back = {
  /** Search back to this logical time, within `pages`. */
  readonly sinceLt: bigint
  readonly pages: number
  readonly isIt: (reading: TransactionReading) => boolean
}

/** Searches the transactions of an account, newest first, as of a masterchain block. */
const searchHistory = async (
  node: LiveNode,
  address: Address,
  at: BlockIdExt,
  { sinceLt, pages, isIt }: Back,
): Promise<Search> => {
  const unknown: Search = { found: undefined, isWhole: false, isAbsent: false }
  try {
    const { lastTransaction } = await node.getLastTransaction(address, at)
    if (lastTransaction === undefined) return { ...unknown, isAbsent: true }
    let next: TransactionKey | undefined = lastTransaction
    for (let read = 0; next !== undefined && read < pages; read++) {
      if (next.lt <= sinceLt) return { ...unknown, isWhole: true }
      const page: TransactionChain = await node.getTransactions(address, next, PAGE_SIZE)
      const found = page.transactions.map((each) => toTransactionReading(address.workchain, each)).find(isIt)
      if (found !== undefined) return { ...unknown, found }
      next = page.next
    }
    return unknown
  } catch (error) {
    // The node has pruned that part of the history; it may still have the blocks.
    if (error instanceof NodeRefusedError) return unknown
    throw error
  }
}

/** The first, small page tells whether the account is in the block at all. */
const FIRST_LOOK = 2
const FURTHER_LOOK = 256

/** Searches the transactions of one account in a block. */
const searchBlock = async (
  node: LiveNode,
  block: BlockIdExt,
  { workchain, hash }: Address,
  isIt: (reading: TransactionReading) => boolean,
): Promise<TransactionReading | undefined> => {
  let after = { account: hash, lt: 0n }
  for (let count = FIRST_LOOK; ; count = FURTHER_LOOK) {
    const { transactions, isComplete } = await node.getBlockTransactions(block, { count, after })
    const own = transactions.filter(({ account }) => bytesEqual(account, hash))
    const found = own.map((each) => toTransactionReading(workchain, each)).find(isIt)
    const last = own.at(-1)
    if (found !== undefined || isComplete || last === undefined || own.length < transactions.length) return found
    after = last
  }
}

/** The first block of the account's shard whose end lt is at least `lt`. */
const getBlockAt = async (node: LiveNode, address: Address, lt: bigint): Promise<BlockHeader> => {
  try {
    return await node.lookupBlock(shardOf(address), { lt })
  } catch (error) {
    if (!(error instanceof NodeRefusedError)) throw error
    // Nodes find the first block of a chain by seqno only.
    const first = await node.lookupBlock(shardOf(address), { seqno: 1 }).catch(() => undefined)
    if (first !== undefined && first.info.endLt >= lt) return first
    throw error
  }
}

/** The same, or `undefined` if the chain has not reached that lt. */
const findBlockAt = async (node: LiveNode, address: Address, lt: bigint): Promise<BlockHeader | undefined> => {
  try {
    return await node.lookupBlock(shardOf(address), { lt })
  } catch (error) {
    if (error instanceof NodeRefusedError) return undefined
    throw error
  }
}

/** Nodes accept an account prefix as a shard id, except in the masterchain. */
const shardOf = ({ workchain, hash }: Address) => ({
  workchain,
  shard: workchain === masterchain ? wholeShard : getU64BE(hash, 0),
})
