import type { LiveAccount, LiveNode } from '../../chain/LiveChain.ts'
import { Cell } from '../../codec/cell/Cell.ts'
import { type AccountState, openAccount } from '../../codec/tlb/Account.ts'
import { type CurrencyCollection, ZERO_CURRENCY } from '../../codec/tlb/CurrencyCollection.ts'
import type { ConfigDict } from '../../codec/tlb/config/configParams.ts'
import type { Address } from '../../primitives/Address.ts'
import { type BlockIdExt, masterchain } from '../../primitives/BlockId.ts'
import { wholeShard } from '../../primitives/shard.ts'
import type { Lifetime } from '../core/Endpoint.ts'
import { NodeClientError } from './errors.ts'

/** The masterchain block with a number; the newest one where there is none. */
export const getMasterchainBlock = async (node: LiveNode, seqno: number | undefined): Promise<BlockIdExt> => {
  const head = await node.getHead(seqno)
  if (seqno === undefined || seqno === head.seqno) return head
  const { id } = await node.lookupBlock({ workchain: masterchain, shard: wholeShard }, { seqno })
  return id
}

/** How long an answer about that block stays right. */
export const lifetimeAt = ({ seqno }: { readonly seqno?: number | undefined }): Lifetime =>
  seqno === undefined ? 'head' : 'forever'

/** An account as this interface tells of it: one that does not exist is empty. */
export type AccountReading = LiveAccount & {
  readonly balance: CurrencyCollection
  readonly state: AccountState
  /** Absent unless the account is active; even then it may have none. */
  readonly code: Cell | undefined
  readonly data: Cell | undefined
}

/** An account after a masterchain block, the newest one unless `seqno` says otherwise. */
export const readAccount = async (
  node: LiveNode,
  address: Address,
  seqno: number | undefined,
): Promise<AccountReading> => {
  const live = await node.getAccountState(address, await getMasterchainBlock(node, seqno))
  if (live.shardBlock === undefined) throw new NodeClientError(noShardBlock)
  return toAccountReading(live)
}

/** What was found, with the account opened. */
export const toAccountReading = (live: LiveAccount): AccountReading => {
  const account = live.found && openAccount(live.found.account)
  const { balance, state }: Pick<AccountReading, 'balance' | 'state'> =
    account?.kind === 'account' ? account : { balance: ZERO_CURRENCY, state: { kind: 'uninit' } }
  const { code, data } = state.kind === 'active' ? state.init : { code: undefined, data: undefined }
  return { ...live, balance, state, code, data }
}

const noHash = '0'.repeat(64)
const noBlock = `(-2147483648,0000000000000000,0):${noHash}:${noHash}`
const noShardBlock = `VALIDATE_ACCOUNT_STATEshard block id ${noBlock} in answer is invalid`

/** The cell that a configuration begins with. */
export const configRoot = ({ root }: ConfigDict): Cell => {
  if (root instanceof Cell) return root
  throw new TypeError('A proven configuration stands in a cell of its own.')
}
