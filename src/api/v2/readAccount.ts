import type { LiveAccount, LiveNode, TransactionKey } from '../../chain/LiveChain.ts'
import { Cell } from '../../codec/cell/Cell.ts'
import { type AccountState, openAccount } from '../../codec/tlb/Account.ts'
import { type CurrencyCollection, ZERO_CURRENCY } from '../../codec/tlb/CurrencyCollection.ts'
import type { ConfigDict } from '../../codec/tlb/config/configParams.ts'
import type { Address } from '../../primitives/Address.ts'
import { type BlockIdExt, masterchain } from '../../primitives/BlockId.ts'
import { deriveOnce } from '../../primitives/deriveOnce.ts'
import { wholeShard } from '../../primitives/shard.ts'
import type { Lifetime } from '../core/Endpoint.ts'
import { NodeClientError } from './errors.ts'

/** The masterchain block with this seqno, or the newest one. */
export const getMasterchainBlock = async (node: LiveNode, seqno: number | undefined): Promise<BlockIdExt> => {
  const head = await node.getHead(seqno)
  if (seqno === undefined || seqno === head.seqno) return head
  return node.getBlockId({ workchain: masterchain, shard: wholeShard, seqno })
}

/** The cache lifetime of a response about that block. */
export const lifetimeAt = ({ seqno }: { readonly seqno?: number | undefined }): Lifetime =>
  seqno === undefined ? 'head' : 'forever'

/** An account as v2 shows it: a missing account is an empty one. */
export type AccountReading = LiveAccount & {
  readonly balance: CurrencyCollection
  readonly state: AccountState
  /** Only of active accounts, and optional even there. */
  readonly code: Cell | undefined
  readonly data: Cell | undefined
}

/** Reads an account after a masterchain block, by default the newest. */
export const readAccount = async (
  node: LiveNode,
  address: Address,
  seqno: number | undefined,
): Promise<AccountReading> => {
  const live = await node.getAccountState(address, await getMasterchainBlock(node, seqno))
  if (live.shardBlock === undefined) throw new NodeClientError(noShardBlock)
  return toAccountReading(live)
}

/** The newest transaction of an account; `undefined` where there is no such account. */
export const readLastTransaction = async (node: LiveNode, address: Address): Promise<TransactionKey | undefined> => {
  const { shardBlock, lastTransaction } = await node.getLastTransaction(address, await node.getHead())
  if (shardBlock === undefined) throw new NodeClientError(noShardBlock)
  return lastTransaction
}

/** Parses the account that a node returned. */
export const toAccountReading = deriveOnce((live: LiveAccount): AccountReading => {
  const account = live.found && openAccount(live.found.account)
  const { balance, state }: Pick<AccountReading, 'balance' | 'state'> =
    account?.kind === 'account' ? account : { balance: ZERO_CURRENCY, state: { kind: 'uninit' } }
  const { code, data } = state.kind === 'active' ? state.init : { code: undefined, data: undefined }
  return { ...live, balance, state, code, data }
})

const noHash = '0'.repeat(64)
const noBlock = `(-2147483648,0000000000000000,0):${noHash}:${noHash}`
const noShardBlock = `VALIDATE_ACCOUNT_STATEshard block id ${noBlock} in answer is invalid`

/** The root cell of a configuration. */
export const configRoot = ({ root }: ConfigDict): Cell => {
  if (root instanceof Cell) return root
  throw new TypeError('The configuration of a proof must be a whole cell.')
}
