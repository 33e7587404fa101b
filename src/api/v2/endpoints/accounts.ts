import type { LiveNode } from '../../../chain/LiveChain.ts'
import { writeWhole } from '../../../codec/cell/wholeCell.ts'
import { accountNoneCell } from '../../../codec/tlb/Account.ts'
import { findConfigParam } from '../../../codec/tlb/config/configParams.ts'
import { writeShardAccount } from '../../../codec/tlb/ShardAccounts.ts'
import type { Address } from '../../../primitives/Address.ts'
import type { BlockIdExt } from '../../../primitives/BlockId.ts'
import { optional } from '../../core/params.ts'
import { AddressParam, ProofParam, SeqnoParam } from '../params.ts'
import { type AccountReading, lifetimeAt, readAccount } from '../readAccount.ts'
import { v2Endpoint } from '../v2Endpoint.ts'
import {
  AccountStateNameView,
  AccountView,
  toAccountStateName,
  toAccountView,
  toProofMembers,
  toWalletView,
  WalletView,
} from '../views/accounts.ts'
import { FullAccountView, toFullAccountView } from '../views/fullAccounts.ts'
import { AmountView, CellView, toCellView } from '../views/scalars.ts'

const suspendedAddressesParam = 44

/** Whether the configuration suspends the account at the time of its state. */
const isSuspended = async (node: LiveNode, address: Address, { block, genUtime }: AccountReading): Promise<boolean> => {
  const list = await getSuspended(node, block)
  return list !== undefined && genUtime < list.suspendedUntil && list.addresses.find(address) !== undefined
}

type Suspended = ReturnType<typeof findConfigParam<typeof suspendedAddressesParam>>

/** Cached by block: the newest block is read over and over. */
const lists = new WeakMap<BlockIdExt, Promise<Suspended>>()

const getSuspended = (node: LiveNode, block: BlockIdExt): Promise<Suspended> => {
  const known = lists.get(block)
  if (known !== undefined) return known
  const list = node
    .getConfig([suspendedAddressesParam], block)
    .then((config) => findConfigParam(config, suspendedAddressesParam))
  lists.set(block, list)
  list.catch(() => lists.delete(block))
  return list
}

export const getAddressInformation = v2Endpoint({
  name: 'getAddressInformation',
  tags: ['accounts'],
  summary: 'Account state: balance, code, data, last transaction.',
  params: { address: AddressParam, seqno: optional(SeqnoParam), proof: optional(ProofParam) },
  result: AccountView,
  errors: [],
  lifetime: lifetimeAt,
  async handle({ node }, { address, seqno, proof }) {
    const account = await readAccount(node, address, seqno)
    return { ...toAccountView(account, await isSuspended(node, address, account)), ...toProofMembers(account, proof) }
  },
})

export const getAddressBalance = v2Endpoint({
  name: 'getAddressBalance',
  tags: ['accounts'],
  summary: 'Balance of an account in nano units; 0 if the account does not exist.',
  params: { address: AddressParam, seqno: optional(SeqnoParam) },
  result: AmountView,
  errors: [],
  lifetime: lifetimeAt,
  async handle({ node }, { address, seqno }) {
    const { balance } = await readAccount(node, address, seqno)
    return balance.grams.toString()
  },
})

export const getAddressState = v2Endpoint({
  name: 'getAddressState',
  tags: ['accounts'],
  summary: 'State of an account: active, uninitialized or frozen.',
  params: { address: AddressParam, seqno: optional(SeqnoParam) },
  result: AccountStateNameView,
  errors: [],
  lifetime: lifetimeAt,
  handle: async ({ node }, { address, seqno }) => toAccountStateName(await readAccount(node, address, seqno)),
})

export const getExtendedAddressInformation = v2Endpoint({
  name: 'getExtendedAddressInformation',
  tags: ['accounts'],
  summary: 'Account state with parsed data of well-known contracts.',
  params: { address: AddressParam, seqno: optional(SeqnoParam), proof: optional(ProofParam) },
  result: FullAccountView,
  errors: [],
  lifetime: lifetimeAt,
  async handle({ node }, { address, seqno, proof }) {
    const account = await readAccount(node, address, seqno)
    return { ...toFullAccountView(address, account), ...toProofMembers(account, proof) }
  },
})

export const getWalletInformation = v2Endpoint({
  name: 'getWalletInformation',
  tags: ['accounts'],
  summary: 'Wallet information: wallet type, seqno and wallet id.',
  params: { address: AddressParam, seqno: optional(SeqnoParam), proof: optional(ProofParam) },
  result: WalletView,
  errors: [],
  lifetime: lifetimeAt,
  async handle({ node }, { address, seqno, proof }) {
    const account = await readAccount(node, address, seqno)
    return { ...toWalletView(account), ...toProofMembers(account, proof) }
  },
})

const noHash = new Uint8Array(32)

export const getShardAccountCell = v2Endpoint({
  name: 'getShardAccountCell',
  tags: ['accounts'],
  summary: 'Account as a ShardAccount cell: state and last transaction.',
  params: { address: AddressParam, seqno: optional(SeqnoParam) },
  result: CellView,
  errors: [],
  lifetime: lifetimeAt,
  async handle({ node }, { address, seqno }) {
    const { found } = await readAccount(node, address, seqno)
    const { lt: lastTransLt, hash: lastTransHash } = found?.lastTransaction ?? { lt: 0n, hash: noHash }
    const account = found?.account ?? accountNoneCell
    return toCellView(writeWhole(writeShardAccount, { account, lastTransHash, lastTransLt }))
  },
})
