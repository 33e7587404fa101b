import type { ContractState } from '../../chain/ports.ts'

/** A contract to be looked at: the newest state of an account in the batch. */
export type Subject = {
  readonly contract: ContractState
  /** The address as in the store, and as text for maps. */
  readonly account: Uint8Array
  readonly key: string
  readonly codeHash: Uint8Array
  readonly dataHash: Uint8Array
  /** Of the earliest state in the batch since which the code has been the same. */
  readonly sinceLt: bigint
  readonly lastLt: bigint
  /** Numbers of the methods that the code has; none where they cannot be told. */
  readonly methods: ReadonlySet<number>
}

/** What the rows of all contracts have in common. */
export const commonColumns = ({ sinceLt, lastLt, account, codeHash, dataHash }: Subject) => ({
  since_lt: sinceLt,
  last_lt: lastLt,
  address: account,
  code_hash: codeHash,
  data_hash: dataHash,
})
