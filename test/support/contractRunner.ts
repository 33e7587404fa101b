import type { ContractState, RunContext, VirtualMachine } from '../../src/chain/ports.ts'
import { openAccount } from '../../src/codec/tlb/Account.ts'
import { ZERO_CURRENCY } from '../../src/codec/tlb/CurrencyCollection.ts'
import type { ShardStateUnsplit } from '../../src/codec/tlb/ShardState.ts'
import type { StateInit } from '../../src/codec/tlb/StateInit.ts'
import { getMethodId } from '../../src/codec/tlb/VmValue.ts'
import type { RunMethod } from '../../src/contracts/getMethods.ts'
import { type Address, formatRawAddress } from '../../src/primitives/Address.ts'
import { masterchain } from '../../src/primitives/BlockId.ts'
import { formatShard } from '../../src/primitives/shard.ts'
import { readFixtureJson } from './fixtures.ts'
import { contextOf, findShardAccount, replayLocalnet } from './replayLocalnet.ts'

export type FindContract = (address: Address) => ContractState | undefined

/** Runs get-methods of these contracts in the real machine. Who is not there ends as contracts without code do. */
export const runnerOf =
  (machine: VirtualMachine, context: RunContext, find: FindContract): RunMethod =>
  async (address, method, stack) => {
    const contract = find(address)
    if (contract === undefined) return { exitCode: -13, stack }
    return machine.runMethod({
      contract,
      methodId: getMethodId(method),
      stack,
      gasLimit: 1_000_000,
      context,
      log: 'none',
    })
  }

/** A contract as it starts, at any address. */
export const contractAt = (address: Address, { code, data }: StateInit): ContractState => ({
  address,
  code: code!,
  data: data!,
  balance: ZERO_CURRENCY,
})

/** Finds among contracts that are all known. */
export const findAmong = (contracts: readonly ContractState[]): FindContract => {
  const byAddress = new Map(contracts.map((contract) => [formatRawAddress(contract.address), contract]))
  return (address) => byAddress.get(formatRawAddress(address))
}

export type RecordedHeight = { readonly context: RunContext; readonly find: FindContract }

/** The recorded network at some of its masterchain blocks. */
export const localnetAt = (seqnos: readonly number[]): ReadonlyMap<number, RecordedHeight> => {
  const { masterchain_shards: tops } = readFixtureJson<{ masterchain_shards: Record<string, string[]> }>(
    'localnet/blocks/index.json',
  )
  const wanted = new Set(seqnos)
  const heights = new Map<number, RecordedHeight>()
  const states = new Map<string, ShardStateUnsplit>()
  for (const { info, after } of replayLocalnet()) {
    if (info.workchain !== masterchain) {
      states.set(`${info.workchain}_${formatShard(info.shard)}_${info.seqno}`, after)
    } else if (wanted.has(info.seqno)) {
      // The first of them names the zerostate, of which nothing is asked.
      const shards = [after, ...tops[info.seqno]!.flatMap((name) => states.get(name) ?? [])]
      heights.set(info.seqno, { context: contextOf(after), find: (address) => findContract(shards, address) })
    }
  }
  return heights
}

const findContract = (shards: readonly ShardStateUnsplit[], address: Address): ContractState | undefined => {
  const inside = shards.filter(({ shard }) => shard.workchain === address.workchain)
  const found = findShardAccount(inside, address.hash)
  const account = found === undefined ? undefined : openAccount(found.account)
  if (account?.kind !== 'account' || account.state.kind !== 'active') return undefined
  return { ...contractAt(address, account.state.init), balance: account.balance }
}
