import { openAccount } from '../../../src/codec/tlb/Account.ts'
import { findConfigParam } from '../../../src/codec/tlb/config/configParams.ts'
import type { StoredBlock } from '../../../src/devnet/store/blockRow.ts'
import type { ChainStore } from '../../../src/devnet/store/ChainStore.ts'
import { masterchain } from '../../../src/primitives/BlockId.ts'
import { toHex } from '../../../src/primitives/hex.ts'
import { shardContains } from '../../../src/primitives/shard.ts'
import { type BlockView, viewBlock } from '../chainRules/BlockView.ts'
import { stepOf } from '../chainRules/checkChain.ts'
import { StateView } from '../chainRules/StateView.ts'
import { kindOfBlock } from './blockShapes.ts'

export type AccountFact = {
  readonly workchain: number
  readonly id: Uint8Array
  readonly status: string
  readonly hasCurrencies: boolean
  /** `config`, `elector`, or undefined for all others. */
  readonly role: 'config' | 'elector' | undefined
  readonly lastLt: bigint
  readonly lastHash: Uint8Array
  /** Transactions on the whole chain. */
  readonly transactions: number
}

export type BlockFact = { readonly block: StoredBlock; readonly kind: string; readonly transactions: number }

/** What there is in a network: its blocks by kind, its accounts, its libraries. */
export class NetworkFacts {
  readonly store: ChainStore
  readonly blocks: readonly BlockFact[]
  readonly accounts: ReadonlyMap<string, AccountFact>
  readonly libraries: readonly Uint8Array[]
  private readonly counts = new Map<string, number>()

  constructor(store: ChainStore) {
    this.store = store
    const blocks: BlockFact[] = []
    const last = store.head?.id.seqno ?? 0
    for (let seqno = 1; seqno <= last; seqno++) {
      const { master, shardBlocks } = stepOf(store, seqno)
      for (const checked of [...shardBlocks, master]) {
        const view = viewBlock(checked)
        this.count(view)
        const block = store.index.find(checked.id)!
        blocks.push({ block, kind: kindOfBlock(view), transactions: view.transactions.length })
      }
    }
    this.blocks = blocks
    const states = [store.head!.id, ...store.shardTops].map((id) => new StateView(store.findState(id)!))
    this.accounts = new Map(states.flatMap((state) => this.listAccounts(state)))
    this.libraries = states[0]!.totals.libraries.entries().map(([hash]) => hash)
  }

  findBlock(id: { readonly rootHash: Uint8Array }): BlockFact | undefined {
    const hash = toHex(id.rootHash)
    return this.blocks.find(({ block }) => toHex(block.id.rootHash) === hash)
  }

  /** The block at a place, where the shard may also be one that came to be later. */
  findBlockAt(workchain: number, shard: bigint, seqno: number): BlockFact | undefined {
    const found = this.store.index.findBySeqno(workchain, shard, seqno)
    return found && this.findBlock(found.id)
  }

  findByLt(workchain: number, shard: bigint, lt: bigint): BlockFact | undefined {
    const found = this.store.index.findByLt(workchain, shard, lt)
    return found && this.findBlock(found.id)
  }

  /** Accounts whose first bit is this one: they are in the same shard while there are two. */
  listSide(workchain: number, bit: number): AccountFact[] {
    const half = bit === 0 ? 1n << 62n : 3n << 62n
    return [...this.accounts.values()].filter(
      (account) => account.workchain === workchain && shardContains(half, prefixOf(account.id)),
    )
  }

  private count({ info, accountBlocks }: BlockView): void {
    for (const { account, transactions } of accountBlocks.values()) {
      const key = `${info.workchain}:${account}`
      this.counts.set(key, (this.counts.get(key) ?? 0) + transactions.length)
    }
  }

  private listAccounts(view: StateView): [string, AccountFact][] {
    const { workchain } = view.state.shard
    const params = workchain === masterchain ? view.master.extra.config : undefined
    const elector = params && findConfigParam(params.config, 1)
    const accounts: [string, AccountFact][] = []
    view.accounts.forEach((id, { account: cell, lastTransLt, lastTransHash }) => {
      const account = openAccount(cell)
      if (account.kind === 'none') return
      const key = `${workchain}:${toHex(id)}`
      const isElector = elector !== undefined && toHex(elector) === toHex(id)
      const isConfig = params !== undefined && toHex(params.configAddr) === toHex(id)
      accounts.push([
        key,
        {
          workchain,
          id,
          status: account.state.kind,
          hasCurrencies: !account.balance.extra.isEmpty,
          role: isConfig ? 'config' : isElector ? 'elector' : undefined,
          lastLt: lastTransLt,
          lastHash: lastTransHash,
          transactions: this.counts.get(key) ?? 0,
        },
      ])
    })
    return accounts
  }
}

export const prefixOf = (id: Uint8Array): bigint => BigInt(`0x${toHex(id.subarray(0, 8))}`)
