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

/** By what an internal message is known. */
export const routeParams = { source: AddressParam, destination: AddressParam, created_lt: ltParam('created_lt') }

type Route = { readonly source: Address; readonly destination: Address; readonly created_lt: bigint }

/** How far back from the account's last transaction the history is read at first: a page has 16. */
const RECENT_PAGES = 2
const PAGE_SIZE = 16

/** In so many blocks from the one that sent it a message has arrived, as a rule; the original looks no further. */
const FIRST_BLOCKS = 3

/** How much later, in logical time, it is looked for in what the account was then; a block takes a million. */
const LATER_LTS = [8_000_000n, 64_000_000n]
const LATER_PAGES = 12

/**
 * The transaction that a message set off. Few steps tell that there is none: the newest of the account's history, the blocks right after
 * the message, and the history as it was a while later, for a message that was long on its way.
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
  // The chain ends there, or the account is none that has a history.
  if (block === undefined || recent.isAbsent) return notFound()
  return (await searchLater(node, route, isIt)) ?? notFound()
}

/** Looks through the account's history as it was some time after the message. */
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

/** The transaction that sent a message. Whatever a block sends has a time of that block. */
export const locateSource = async (node: LiveNode, route: Route): Promise<TransactionReading> => {
  const { source, created_lt } = route
  const isIt = ({ outMsgs }: TransactionReading): boolean => outMsgs.some((message) => isOnRoute(message, route))
  const block = await getBlockAt(node, source, created_lt)
  return (await searchBlock(node, block.id, source, isIt)) ?? notFound()
}

/** That no node could look for it means to a caller that it was not found. */
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
  /** Nothing that happened to the account after the time was passed over. */
  readonly isWhole: boolean
  readonly isAbsent: boolean
}

type Back = {
  /** Back to this time, if that is not too many pages. */
  readonly sinceLt: bigint
  readonly pages: number
  readonly isIt: (reading: TransactionReading) => boolean
}

/** Looks through the transactions of an account, newest first, from those before the end of a masterchain block on. */
const searchHistory = async (
  node: LiveNode,
  address: Address,
  at: BlockIdExt,
  { sinceLt, pages, isIt }: Back,
): Promise<Search> => {
  const unknown: Search = { found: undefined, isWhole: false, isAbsent: false }
  try {
    const { found: account } = await node.getAccountState(address, at)
    if (account === undefined) return { ...unknown, isAbsent: true }
    let next: TransactionKey | undefined = account.lastTransaction
    for (let read = 0; next !== undefined && read < pages; read++) {
      if (next.lt <= sinceLt) return { ...unknown, isWhole: true }
      const page: TransactionChain = await node.getTransactions(address, next, PAGE_SIZE)
      const found = page.transactions.map((each) => toTransactionReading(address.workchain, each)).find(isIt)
      if (found !== undefined) return { ...unknown, found }
      next = page.next
    }
    return unknown
  } catch (error) {
    // The node has dropped that part of the history; it may still have the blocks.
    if (error instanceof NodeRefusedError) return unknown
    throw error
  }
}

/** A first look tells whether the account is in a block at all. */
const FIRST_LOOK = 2
const FURTHER_LOOK = 256

/** Looks through the transactions of one account in a block, however many others there are. */
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

/** The first block of the chain that holds an account to end at a logical time or later. */
const getBlockAt = async (node: LiveNode, address: Address, lt: bigint): Promise<BlockHeader> => {
  try {
    return await node.lookupBlock(placeOf(address), { lt })
  } catch (error) {
    if (!(error instanceof NodeRefusedError)) throw error
    // Nodes find the first block of a chain by its number only.
    const first = await node.lookupBlock(placeOf(address), { seqno: 1 }).catch(() => undefined)
    if (first !== undefined && first.info.endLt >= lt) return first
    throw error
  }
}

/** The same; `undefined` where the chain has not come so far. */
const findBlockAt = async (node: LiveNode, address: Address, lt: bigint): Promise<BlockHeader | undefined> => {
  try {
    return await node.lookupBlock(placeOf(address), { lt })
  } catch (error) {
    if (error instanceof NodeRefusedError) return undefined
    throw error
  }
}

/** Nodes take the first bits of an account for a shard, but not in the masterchain. */
const placeOf = ({ workchain, hash }: Address) => ({
  workchain,
  shard: workchain === masterchain ? wholeShard : getU64BE(hash, 0),
})
