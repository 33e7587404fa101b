import { NodeRefusedError } from '../../chain/errors.ts'
import type { BlockHeader, LiveNode } from '../../chain/LiveChain.ts'
import type { PreviousBlocks } from '../../chain/ports.ts'
import { readPreviousBlocks } from '../../chain/shardBlocks.ts'
import { Cell } from '../../codec/cell/Cell.ts'
import { openAccountBlocks, openBlock, openBlockExtra } from '../../codec/tlb/Block.ts'
import { openMcStateExtra, openMcStateHistory } from '../../codec/tlb/McStateExtra.ts'
import { openShardAccounts, type ShardAccount } from '../../codec/tlb/ShardAccounts.ts'
import { openShardState, openStateTotals, type ShardStateUnsplit } from '../../codec/tlb/ShardState.ts'
import { type Address, formatRawAddress } from '../../primitives/Address.ts'
import { type BlockIdExt, formatBlockId, masterchain } from '../../primitives/BlockId.ts'
import { getU64BE } from '../../primitives/bytes.ts'
import { toHex } from '../../primitives/hex.ts'
import { shardContains, wholeShard } from '../../primitives/shard.ts'
import { TransactionNotFoundError } from '../errors.ts'
import { globalVersionOf, NO_ACCOUNT, type ReplayInputs, type ReplaySource, type ReplayTarget } from './ReplayInputs.ts'

/** What is being fetched, to say so when no node has it. */
export type Fetching = { readonly what: string; readonly block: BlockIdExt }

/**
 * Fetches what a replay needs from a node, every part proven: the block of the transaction, the account after the block before it, and
 * the configuration at the masterchain block that the block refers to.
 */
export const gatherInputs = async (
  node: LiveNode,
  target: ReplayTarget,
  onFetch: (fetching: Fetching) => void,
): Promise<ReplayInputs> => {
  const { address, lt } = target
  const { id } = await findBlock(node, target)
  onFetch({ what: 'the contents', block: id })
  const { root, info, prev } = await node.getBlock(id)
  const { randSeed, accountBlocks } = openContents(root)
  const transactions = findTransactions(accountBlocks, target, id)
  const previousBlock = findPrevious(prev, address)
  const master = info.masterRef === undefined ? previousBlock : toMasterId(info.masterRef.seqno, info.masterRef)
  onFetch({ what: 'the state', block: previousBlock })
  const before = await getAccountAfter(node, address, previousBlock)
  onFetch({ what: 'the configuration', block: master })
  const config = await getConfigAfter(node, master)
  return {
    address,
    lt,
    block: { id, startLt: info.startLt, genUtime: info.genUtime, randomSeed: randSeed.slice() },
    previousBlock,
    master,
    config,
    before,
    transactions,
  }
}

/** Libraries and previous blocks at the masterchain block, from a node. */
export const sourceOf = (
  node: LiveNode,
  { master, config }: Pick<ReplayInputs, 'master' | 'config'>,
): ReplaySource => ({
  findLibrary: async (hash) => {
    if (master.seqno === 0) {
      const { totals } = openMaster(await node.getFirstState(master))
      return openStateTotals(totals).libraries.find(hash)?.lib
    }
    const [found] = await node.getPublicLibraries([hash], master)
    return found?.library
  },
  getPreviousBlocks: async (): Promise<PreviousBlocks | undefined> => {
    if (master.seqno > 0) return node.getPreviousBlocks(master)
    const { history } = openMcStateExtra(openMaster(await node.getFirstState(master)).custom!)
    return readPreviousBlocks(master, openMcStateHistory(history), globalVersionOf(config))
  },
})

const findBlock = async (node: LiveNode, { address, lt }: ReplayTarget): Promise<Pick<BlockHeader, 'id'>> => {
  const { workchain, hash } = address
  // Nodes accept an account prefix as a shard id, except in the masterchain.
  const shard = { workchain, shard: workchain === masterchain ? wholeShard : getU64BE(hash, 0) }
  try {
    return await node.lookupBlock(shard, { lt })
  } catch (error) {
    if (!(error instanceof NodeRefusedError)) throw error
    // Nodes find the first block of a chain by seqno only.
    const first = await node.lookupBlock(shard, { seqno: 1 }).catch(() => undefined)
    if (first !== undefined && first.info.endLt >= lt) return first
    throw error
  }
}

const openContents = (root: Cell) => {
  const extra = openBlockExtra(openBlock(root).extra)
  return { randSeed: extra.randSeed, accountBlocks: openAccountBlocks(extra) }
}

const findTransactions = (
  accountBlocks: ReturnType<typeof openAccountBlocks>,
  { address, lt, hash }: ReplayTarget,
  block: BlockIdExt,
): readonly Cell[] => {
  const transactions: Cell[] = []
  for (const [at, cell] of accountBlocks.find(address.hash)?.transactions.entries() ?? []) {
    if (at > lt) break
    transactions.push(cell)
    if (at < lt) continue
    if (hash === undefined || cell.hasHash(hash)) return transactions
    throw new TransactionNotFoundError(
      `The transaction of ${formatRawAddress(address)} at logical time ${lt} has hash ${toHex(cell.hash())}, not ${toHex(hash)}.`,
    )
  }
  throw new TransactionNotFoundError(
    `Account ${formatRawAddress(address)} has no transaction at logical time ${lt}: block ${formatBlockId(block)}, which covers that time, has none.`,
  )
}

/** After a merge the block of the half that held the account, otherwise the only one. */
const findPrevious = (prev: readonly BlockIdExt[], { hash }: Address): BlockIdExt => {
  const prefix = getU64BE(hash, 0)
  const found = prev.find(({ shard }) => shardContains(shard, prefix))
  if (found === undefined) throw new TypeError('No previous block of a proven block holds an account of that block.')
  return found
}

const getAccountAfter = async (node: LiveNode, address: Address, block: BlockIdExt): Promise<ShardAccount> => {
  if (block.seqno === 0) {
    const { accounts } = openUnsplit(await node.getFirstState(block))
    return openShardAccounts(accounts).find(address.hash) ?? NO_ACCOUNT
  }
  const { found } = await node.getAccountState(address, block)
  if (found === undefined) return NO_ACCOUNT
  const { lt, hash } = found.lastTransaction
  return { account: found.account, lastTransHash: hash, lastTransLt: lt }
}

export const getConfigAfter = async (node: LiveNode, master: BlockIdExt): Promise<Cell> => {
  const { root } =
    master.seqno === 0
      ? openMcStateExtra(openMaster(await node.getFirstState(master)).custom!).config.config
      : await node.getConfig(undefined, master)
  if (root instanceof Cell) return root
  throw new TypeError('The configuration of a proof must be a whole cell.')
}

const openUnsplit = (root: Cell): ShardStateUnsplit => {
  const state = openShardState(root)
  if (state.kind === 'unsplit') return state
  throw new TypeError('A zerostate must be the state of one shard.')
}

const openMaster = (root: Cell): ShardStateUnsplit => {
  const state = openUnsplit(root)
  if (state.custom !== undefined) return state
  throw new TypeError('A masterchain state must have a masterchain part.')
}

const toMasterId = (
  seqno: number,
  { rootHash, fileHash }: { readonly rootHash: Uint8Array; readonly fileHash: Uint8Array },
): BlockIdExt => ({
  workchain: masterchain,
  shard: wholeShard,
  seqno,
  rootHash: rootHash.slice(),
  fileHash: fileHash.slice(),
})
