import type { LiveNode } from '../chain/LiveChain.ts'
import type { RunContext } from '../chain/ports.ts'
import { Cell } from '../codec/cell/Cell.ts'
import { Dict } from '../codec/cell/Dict.ts'
import { accountNoneCell } from '../codec/tlb/Account.ts'
import { type ConfigDict, configDictType, findConfigParam } from '../codec/tlb/config/configParams.ts'
import type { ShardAccount } from '../codec/tlb/ShardAccounts.ts'
import { type Address, addressKeyOf } from '../primitives/Address.ts'
import type { BlockIdExt } from '../primitives/BlockId.ts'
import { getU64BE } from '../primitives/bytes.ts'
import { toHex } from '../primitives/hex.ts'
import { shardContains } from '../primitives/shard.ts'

/** An account after the emulated transactions so far. */
export type FollowedAccount = {
  readonly address: Address
  current: ShardAccount
  /** The state in the chain, before overrides and transactions. */
  readonly initial: ShardAccount
  /** The override is not shown yet: see `EmulatedTransaction.isOverridden`. */
  isOverridden: boolean
  /** Block of the initial state. */
  readonly shardBlock: BlockIdExt
  readonly genUtime: number
  readonly genLt: bigint
}

/** The ShardAccount of an account that does not exist. */
export const NO_ACCOUNT: ShardAccount = {
  account: accountNoneCell,
  lastTransHash: new Uint8Array(32),
  lastTransLt: 0n,
}

/** Account states after a masterchain block, each fetched once. Emulation changes them here only. */
export class AccountStates {
  readonly #node: LiveNode
  readonly #block: BlockIdExt
  readonly #accounts = new Map<string, Promise<FollowedAccount | undefined>>()
  readonly #before: StatesBefore | undefined

  constructor(node: LiveNode, block: BlockIdExt, before?: StatesBefore) {
    this.#node = node
    this.#block = block
    this.#before = before
    if (before === undefined) return
    const { address, account: current, previousBlock: shardBlock, now: genUtime, lt: genLt } = before
    const known = { address, current, initial: current, isOverridden: false, shardBlock, genUtime, genLt }
    this.#accounts.set(toHex(addressKeyOf(address)), Promise.resolve(known))
  }

  /** Prefetches an account. `find` reports failures. */
  expect(address: Address): void {
    this.find(address).catch(() => undefined)
  }

  /** `undefined` if the workchain does not exist. */
  find(address: Address): Promise<FollowedAccount | undefined> {
    const key = toHex(addressKeyOf(address))
    let account = this.#accounts.get(key)
    if (account === undefined) {
      account = this.#fetch(address)
      this.#accounts.set(key, account)
    }
    return account
  }

  /** The accounts that were used, those of unknown workchains left out. */
  async list(): Promise<FollowedAccount[]> {
    const all = await Promise.all(this.#accounts.values())
    return all.filter((account) => account !== undefined)
  }

  /** Nodes tell of an account at a block of its own shard, too. A zerostate they do not. */
  #referenceOf({ workchain, hash }: Address): BlockIdExt {
    const own = this.#before?.previousBlock
    if (own === undefined || own.seqno === 0 || own.workchain !== workchain) return this.#block
    return shardContains(own.shard, getU64BE(hash, 0)) ? own : this.#block
  }

  async #fetch(address: Address): Promise<FollowedAccount | undefined> {
    const { shardBlock, found, genUtime, genLt } = await this.#node.getAccountState(address, this.#referenceOf(address))
    if (shardBlock === undefined) return undefined
    const current =
      found === undefined
        ? NO_ACCOUNT
        : { account: found.account, lastTransHash: found.lastTransaction.hash, lastTransLt: found.lastTransaction.lt }
    return { address, current, initial: current, isOverridden: false, shardBlock, genUtime, genLt }
  }
}

/** One account just before a transaction, and the shard block before it, in which the rest of the shard is read. */
type StatesBefore = {
  readonly address: Address
  readonly account: ShardAccount
  readonly previousBlock: BlockIdExt
  readonly now: number
  readonly lt: bigint
}

/** VM context of transactions after a masterchain block. */
export type ChainContext = {
  readonly block: BlockIdExt
  readonly context: Omit<RunContext, 'now'>
  /** Whether messages have extra_flags instead of the IHR fee. */
  readonly hasExtraFlags: boolean
}

const globalVersionParam = 8
const EXTRA_FLAGS_VERSION = 12
const NO_SEED = new Uint8Array(32)

/** Reads it, with the configuration cached by hash: it is large and rarely changes. */
export class ChainContexts {
  #kept: { readonly key: string; readonly config: Cell } | undefined
  /** Cached per block, since many messages are emulated after the same one. Libraries are fetched from a node. */
  #last: { readonly key: string; readonly context: Omit<RunContext, 'now' | 'findLibrary'> } | undefined

  async get(node: LiveNode, block: BlockIdExt): Promise<ChainContext> {
    const findLibrary = async (hash: Uint8Array): Promise<Cell | undefined> => {
      const [found] = await node.getPublicLibraries([hash], block)
      return found?.library
    }
    const { context } = await this.#find(node, block)
    return { block, context: { ...context, findLibrary }, hasExtraFlags: hasExtraFlags(context.config) }
  }

  async #find(node: LiveNode, block: BlockIdExt) {
    const key = toHex(block.rootHash)
    if (this.#last?.key === key) return this.#last
    const [part, previousBlocks] = await Promise.all([
      node.getConfig([globalVersionParam], block),
      node.getPreviousBlocks(block),
    ])
    const config = await this.#configOf(node, block, toHex(rootOf(part).hash(0)))
    const found = { key, context: { config, randomSeed: NO_SEED, previousBlocks } }
    this.#last = found
    return found
  }

  async #configOf(node: LiveNode, block: BlockIdExt, key: string): Promise<Cell> {
    if (this.#kept?.key === key) return this.#kept.config
    const config = rootOf(await node.getConfig(undefined, block))
    this.#kept = { key, config }
    return config
  }
}

const hasExtraFlags = (config: Cell): boolean =>
  (findConfigParam(new Dict(configDictType, config), globalVersionParam)?.version ?? 0) >= EXTRA_FLAGS_VERSION

const rootOf = ({ root }: ConfigDict): Cell => {
  if (root instanceof Cell) return root
  throw new TypeError('The configuration of a proof must be a whole cell.')
}

/** Changes of a world before its first run. */
export type WorldChanges = {
  /** Whole parameters by number. */
  readonly config: ReadonlyMap<number, Cell>
  /** Known besides those of the chain. */
  readonly libraries: readonly Cell[]
}

/** The context with another configuration, more libraries, and the seed of its blocks. */
export const changeContext = (
  { block, context }: ChainContext,
  { config: params, libraries }: WorldChanges,
  randomSeed: Uint8Array,
): ChainContext => {
  let dict: ConfigDict = new Dict(configDictType, context.config)
  for (const [number, cell] of params) dict = dict.set(number, cell)
  const config = rootOf(dict)
  const known = new Map(libraries.map((library) => [toHex(library.hash()), library]))
  const findLibrary = async (hash: Uint8Array): Promise<Cell | undefined> =>
    known.get(toHex(hash)) ?? (await context.findLibrary?.(hash))
  return { block, context: { ...context, config, randomSeed, findLibrary }, hasExtraFlags: hasExtraFlags(config) }
}
