import assert from 'node:assert/strict'
import { writeWhole } from '../../../src/codec/cell/wholeCell.ts'
import { openAccount, writeAccount } from '../../../src/codec/tlb/Account.ts'
import type { CurrencyCollection } from '../../../src/codec/tlb/CurrencyCollection.ts'
import type { ShardAccounts } from '../../../src/codec/tlb/ShardAccounts.ts'
import type { CheckedBlock } from '../../../src/devnet/store/ChainStore.ts'
import { masterchain } from '../../../src/primitives/BlockId.ts'
import type { BlockParts } from './alterStep.ts'

/** One change to a recorded block, and the rule that must complain. */
export type Mutation = {
  readonly name: string
  /** The masterchain block of the step, and which of its blocks is changed. */
  readonly at: readonly [seqno: number, block: (block: CheckedBlock) => boolean]
  readonly change: (parts: BlockParts) => Partial<BlockParts>
  readonly complains: RegExp
}

const isMaster = ({ id }: CheckedBlock): boolean => id.workchain === masterchain
const isShard =
  (shard: bigint, seqno: number) =>
  ({ id }: CheckedBlock): boolean =>
    id.workchain !== masterchain && id.shard === shard << 60n && id.seqno === seqno

/** External, immediate and final messages come into it, and one goes out to another shard. */
export const busy = [59, isShard(0xcn, 87)] as const
/** It takes messages of another shard out of its queue. */
export const dequeuing = [31, isShard(0x4n, 44)] as const
export const deferring = [60, isShard(0xcn, 88)] as const
export const emitting = [61, isShard(0xcn, 89)] as const
export const splitting = [16, isShard(0x8n, 22)] as const
export const afterSplit = [17, isShard(0x4n, 23)] as const
export const master = [59, isMaster] as const
export const keyBlock = [66, isMaster] as const
export const minting = [1, isMaster] as const
export const publishing = [390, isMaster] as const

export const more = ({ grams, extra }: CurrencyCollection): CurrencyCollection => ({ grams: grams + 1n, extra })
export const flip = (bytes: Uint8Array): Uint8Array => bytes.map((byte, k) => (k === 5 ? byte ^ 1 : byte))

export const totals = (
  name: string,
  at: Mutation['at'],
  patch: (parts: BlockParts) => Partial<BlockParts['totals']>,
  complains: RegExp,
): Mutation => ({ name, at, change: (parts) => ({ totals: { ...parts.totals, ...patch(parts) } }), complains })

/** Gives an account that has no transaction a nanogram. */
export const enrich = ({ accounts, accountBlocks }: BlockParts): ShardAccounts => {
  const [id, entry] = accounts.entries().find(([key]) => accountBlocks.find(key) === undefined)!
  const account = openAccount(entry.account)
  assert.ok(account.kind === 'account')
  const richer = writeWhole(writeAccount, { ...account, balance: more(account.balance) })
  return accounts.set(id, { ...entry, account: richer })
}
