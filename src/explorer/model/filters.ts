import type { ActionView } from '../../api/v3/views/actions.ts'
import type { TransactionView } from '../../api/v3/views/transactions.ts'
import { findRawAddress } from './addresses.ts'
import { describeAction } from './describeAction.ts'
import { outcomeOf } from './transactions.ts'

/** Filters of a list, as the address bar has them. */
export type Filters = {
  readonly dir?: 'in' | 'out'
  readonly type?: string
  /** `coin`, or a jetton master. */
  readonly token?: string
  readonly result?: 'failed' | 'ok'
  /** Days, both included. */
  readonly from?: string
  readonly to?: string
}

export const filterNames = ['dir', 'type', 'token', 'result', 'from', 'to'] as const satisfies (keyof Filters)[]

/** Kinds of actions that people tell apart. */
export const actionGroups: readonly {
  readonly key: string
  readonly title: string
  readonly types: readonly string[]
}[] = [
  { key: 'transfers', title: 'Coin transfers', types: ['ton_transfer'] },
  { key: 'jettons', title: 'Jettons', types: ['jetton_transfer', 'jetton_mint', 'jetton_burn'] },
  {
    key: 'dex',
    title: 'Swaps and liquidity',
    types: ['jetton_swap', 'dex_deposit_liquidity', 'dex_withdraw_liquidity'],
  },
  {
    key: 'nfts',
    title: 'NFTs',
    types: [
      'nft_transfer',
      'nft_mint',
      'nft_put_on_sale',
      'nft_put_on_auction',
      'nft_cancel_sale',
      'nft_update_sale',
      'nft_purchase',
      'nft_cancel_auction',
      'nft_finish_auction',
      'auction_bid',
      'auction_outbid',
    ],
  },
  { key: 'dns', title: 'Domains', types: ['change_dns', 'delete_dns', 'renew_dns', 'dns_purchase', 'dns_release'] },
  {
    key: 'staking',
    title: 'Staking',
    types: ['stake_deposit', 'stake_withdrawal', 'stake_withdrawal_request', 'election_deposit', 'election_recover'],
  },
  {
    key: 'multisig',
    title: 'Multisig and vesting',
    types: [
      'multisig_create_order',
      'multisig_approve',
      'multisig_execute',
      'vesting_send_message',
      'vesting_add_whitelist',
    ],
  },
  { key: 'calls', title: 'Calls and deployments', types: ['call_contract', 'contract_deploy'] },
]

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** What is no filter is left out: anybody may write an address. */
export const readFilters = (query: URLSearchParams): Filters => {
  const [dir, type, result] = [query.get('dir'), query.get('type'), query.get('result')]
  const token = query.get('token') === 'coin' ? 'coin' : findRawAddress(query.get('token') ?? '')
  const [from, to] = [query.get('from') ?? '', query.get('to') ?? '']
  return {
    ...((dir === 'in' || dir === 'out') && { dir }),
    ...(type !== null && actionGroups.some(({ key }) => key === type) && { type }),
    ...(token !== undefined && { token }),
    ...((result === 'failed' || result === 'ok') && { result }),
    ...(DAY.test(from) && { from }),
    ...(DAY.test(to) && { to }),
  }
}

const SECONDS_PER_DAY = 86_400

/** Days of the reader's clock, as a window of the interface. */
export const windowOf = ({ from, to }: Filters): { readonly start_utime?: number; readonly end_utime?: number } => {
  const start = secondsOf(from)
  const end = secondsOf(to)
  return {
    ...(start !== undefined && { start_utime: start }),
    ...(end !== undefined && { end_utime: end + SECONDS_PER_DAY - 1 }),
  }
}

const secondsOf = (day: string | undefined): number | undefined => {
  const seconds = day === undefined ? Number.NaN : new Date(`${day}T00:00:00`).getTime() / 1000
  return seconds >= 0 ? seconds : undefined
}

/** Action types for the interface; `undefined` for all. */
export const typesOf = ({ type }: Filters): string[] | undefined => {
  const group = actionGroups.find(({ key }) => key === type)
  return group && [...group.types]
}

/** Whether rows are left out that the interface gives. */
export const isFilteredHere = ({ dir, token, result }: Filters): boolean =>
  dir !== undefined || token !== undefined || result !== undefined

/** The filters that the interface does not have. */
export const matchesAction = ({ dir, token, result }: Filters, action: ActionView, self: string): boolean => {
  const { from, to, amounts } = describeAction(action)
  if (dir === 'in' && (to !== self || from === self)) return false
  if (dir === 'out' && (from !== self || to === self)) return false
  if (result !== undefined && (action.success === false) !== (result === 'failed')) return false
  if (token === 'coin') return amounts.some(({ jetton }) => jetton === undefined)
  return token === undefined || amounts.some(({ jetton }) => jetton === token)
}

/** A transaction is incoming if another account caused it, and outgoing if it sent something. */
export const matchesTransaction = ({ dir, result }: Filters, transaction: TransactionView): boolean => {
  const source = transaction.in_msg?.source
  if (dir === 'in' && (source === null || source === undefined)) return false
  if (dir === 'out' && transaction.out_msgs.length === 0) return false
  return result === undefined || (outcomeOf(transaction) === 'failed') === (result === 'failed')
}
