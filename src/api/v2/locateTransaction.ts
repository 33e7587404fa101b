import { NodeRefusedError } from '../../chain/errors.ts'
import type { BlockHeader, LiveNode } from '../../chain/LiveChain.ts'
import { findStandardAddress } from '../../codec/tlb/standardAddress.ts'
import { type Address, addressesEqual } from '../../primitives/Address.ts'
import { type BlockIdExt, masterchain } from '../../primitives/BlockId.ts'
import { bytesEqual, getU64BE } from '../../primitives/bytes.ts'
import { wholeShard } from '../../primitives/shard.ts'
import { AddressParam, ltParam } from './params.ts'
import { TransactionNotFoundError } from './TransactionNotFoundError.ts'
import { type MessageReading, type TransactionReading, toTransactionReading } from './TransactionReading.ts'

/** By what an internal message is known. */
export const routeParams = { source: AddressParam, destination: AddressParam, created_lt: ltParam('created_lt') }

type Route = { readonly source: Address; readonly destination: Address; readonly created_lt: bigint }

/** How far back from the account's last transaction the history is read: a page has 16. */
const RECENT_PAGES = 2
const PAGE_SIZE = 16

/** How many blocks a message may be on its way to an account that is too busy for its history to be read. */
const MAX_BLOCKS = 50

/** The transaction that a message set off. */
export const locateResult = async (node: LiveNode, route: Route): Promise<TransactionReading> => {
  const { destination, created_lt } = route
  const isIt = ({ inMsg }: TransactionReading): boolean => inMsg !== undefined && isOnRoute(inMsg, route)
  const recent = await searchRecent(node, destination, created_lt, isIt)
  if (recent.isWhole || recent.found !== undefined) return recent.found ?? notFound()
  let block: BlockHeader | undefined = await getBlockAt(node, destination, created_lt)
  for (let n = 0; block !== undefined && n < MAX_BLOCKS; n++) {
    const found = await searchBlock(node, block.id, destination, isIt)
    if (found !== undefined) return found
    block = await findBlockAt(node, destination, block.info.endLt + 1n)
  }
  return notFound()
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
}

/** Looks through the newest transactions of an account, back to a time if they are few. */
const searchRecent = async (
  node: LiveNode,
  address: Address,
  sinceLt: bigint,
  isIt: (reading: TransactionReading) => boolean,
): Promise<Search> => {
  const unknown: Search = { found: undefined, isWhole: false }
  try {
    const { found: account } = await node.getAccountState(address, await node.getHead())
    let next = account?.lastTransaction
    for (let pages = 0; next !== undefined && pages < RECENT_PAGES; pages++) {
      if (next.lt <= sinceLt) return { found: undefined, isWhole: true }
      const page = await node.getTransactions(address, next, PAGE_SIZE)
      const found = page.transactions.map((each) => toTransactionReading(address.workchain, each)).find(isIt)
      if (found !== undefined) return { found, isWhole: false }
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
