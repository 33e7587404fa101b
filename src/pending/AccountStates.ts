import type { LiveNode } from '../chain/LiveChain.ts'
import { accountNoneCell } from '../codec/tlb/Account.ts'
import type { ShardAccount } from '../codec/tlb/ShardAccounts.ts'
import { type Address, addressKeyOf } from '../primitives/Address.ts'
import type { BlockIdExt } from '../primitives/BlockId.ts'
import { toHex } from '../primitives/hex.ts'

/** An account as transactions that were foreseen have left it so far. */
export type FollowedAccount = {
  readonly address: Address
  current: ShardAccount
  /** Of the state that it began with. */
  readonly shard: bigint
  readonly genUtime: number
  readonly genLt: bigint
}

const NO_ACCOUNT: ShardAccount = { account: accountNoneCell, lastTransHash: new Uint8Array(32), lastTransLt: 0n }

/** Accounts after a masterchain block, each asked for once. What runs on them changes them here only. */
export class AccountStates {
  readonly #node: LiveNode
  readonly #block: BlockIdExt
  readonly #accounts = new Map<string, Promise<FollowedAccount | undefined>>()

  constructor(node: LiveNode, block: BlockIdExt) {
    this.#node = node
    this.#block = block
  }

  /** Asks for it ahead of time. Whoever gets it is told what went wrong. */
  expect(address: Address): void {
    this.find(address).catch(() => undefined)
  }

  /** `undefined` where there is no such workchain. */
  find(address: Address): Promise<FollowedAccount | undefined> {
    const key = toHex(addressKeyOf(address))
    let account = this.#accounts.get(key)
    if (account === undefined) {
      account = this.#ask(address)
      this.#accounts.set(key, account)
    }
    return account
  }

  async #ask(address: Address): Promise<FollowedAccount | undefined> {
    const { shardBlock, found, genUtime, genLt } = await this.#node.getAccountState(address, this.#block)
    if (shardBlock === undefined) return undefined
    const current =
      found === undefined
        ? NO_ACCOUNT
        : { account: found.account, lastTransHash: found.lastTransaction.hash, lastTransLt: found.lastTransaction.lt }
    return { address, current, shard: shardBlock.shard, genUtime, genLt }
  }
}
