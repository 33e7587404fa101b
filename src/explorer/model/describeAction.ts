import type { ActionView } from '../../api/v3/views/actions.ts'

/** An action of any type, ready to show. */
export type ShownAction = {
  readonly title: string
  readonly from: string | undefined
  readonly to: string | undefined
  /** The NFT or domain that it is about. */
  readonly item: string | undefined
  readonly amounts: readonly ActionAmount[]
  readonly note: string | undefined
  /** In hexadecimal. */
  readonly opcode: string | undefined
}

export type ActionAmount = {
  readonly value: string
  /** Jetton master; absent for coins. */
  readonly jetton?: string
  /** Whether `from` gets it instead of giving it. */
  readonly isReturned?: true
}

type Details = { readonly [name: string]: unknown }

const titles: { readonly [type: string]: string } = {
  ton_transfer: 'Transfer',
  call_contract: 'Call',
  contract_deploy: 'Deploy',
  jetton_swap: 'Swap',
  dex_deposit_liquidity: 'Liquidity deposit',
  dex_withdraw_liquidity: 'Liquidity withdrawal',
  stake_deposit: 'Stake',
  stake_withdrawal: 'Unstake',
  stake_withdrawal_request: 'Unstake request',
  nft_put_on_sale: 'NFT put on sale',
  nft_update_sale: 'NFT price change',
  nft_cancel_sale: 'NFT sale cancelled',
  nft_put_on_auction: 'NFT put on auction',
  nft_cancel_auction: 'NFT auction cancelled',
  nft_finish_auction: 'NFT auction finished',
  auction_outbid: 'Outbid',
  change_dns: 'Change of DNS record',
  delete_dns: 'Deletion of DNS record',
  renew_dns: 'Renewal of domain',
  multisig_create_order: 'Multisig order',
  multisig_approve: 'Multisig approval',
  multisig_execute: 'Multisig execution',
  vesting_send_message: 'Vesting transfer',
  vesting_add_whitelist: 'Vesting whitelist',
  tick_tock: 'Tick-tock',
  unknown: 'Unknown',
}

const nameType = (type: string): string => {
  const words = type
    .replaceAll('_', ' ')
    .replace(/\bnft\b/g, 'NFT')
    .replace(/\bdns\b/g, 'DNS')
    .replace(/\bton\b/g, 'coin')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const text = (details: Details, ...names: readonly string[]): string | undefined => {
  for (const name of names) {
    const value = details[name]
    if (typeof value === 'string' && value !== '') return value
  }
  return undefined
}

/** Members of details that name the parties, where they are not the usual ones. */
const parties: { readonly [type: string]: readonly [from: string, to: string] } = {
  nft_mint: ['owner', ''],
  nft_purchase: ['real_old_owner', 'new_owner'],
  nft_put_on_sale: ['owner', 'sale_address'],
  nft_update_sale: ['source', 'sale_contract'],
  nft_cancel_sale: ['sale_address', 'owner'],
  nft_put_on_auction: ['owner', 'auction_address'],
  nft_cancel_auction: ['auction_address', 'owner'],
  nft_finish_auction: ['auction_address', 'owner'],
  auction_outbid: ['auction_address', 'bidder'],
  jetton_mint: ['', 'receiver'],
  jetton_burn: ['owner', 'asset'],
  jetton_swap: ['sender', ''],
  stake_withdrawal: ['pool', 'stake_holder'],
  change_dns: ['source', ''],
  delete_dns: ['source', ''],
  renew_dns: ['source', ''],
}

const senders = [
  'source',
  'sender',
  'old_owner',
  'owner',
  'bidder',
  'stake_holder',
  'subscriber',
  'from',
  'user',
] as const
const receivers = [
  ...['destination', 'receiver', 'new_owner', 'auction', 'pool', 'vesting', 'beneficiary', 'recipient', 'to'],
] as const

const ofDns: ReadonlySet<string> = new Set(['change_dns', 'delete_dns', 'renew_dns'])

export const describeAction = ({ type, details }: Pick<ActionView, 'type' | 'details'>): ShownAction => {
  const known = (details ?? {}) as Details
  const [from, to] = parties[type] ?? []
  return {
    title: titles[type] ?? nameType(type),
    from: from === undefined ? text(known, ...senders) : text(known, from),
    to: to === undefined ? text(known, ...receivers) : text(known, to),
    item: ofDns.has(type) ? text(known, 'asset') : text(known, 'nft_item', 'nft_address'),
    amounts: amountsOf(type, known),
    note: noteOf(known),
    opcode: text(known, 'opcode'),
  }
}

/** An amount, of a jetton where the other member names one. */
const amountIn = (details: Details, amount: string, asset?: string): ActionAmount[] => {
  const value = text(details, amount)
  if (value === undefined || !/^\d+$/.test(value)) return []
  const jetton = asset === undefined ? undefined : text(details, asset)
  return [{ value, ...(jetton !== undefined && { jetton }) }]
}

const returned = (amounts: readonly ActionAmount[]): ActionAmount[] =>
  amounts.map((each) => ({ ...each, isReturned: true as const }))

const side = (details: Details, name: string): Details => {
  const value = details[name]
  return typeof value === 'object' && value !== null ? (value as Details) : {}
}

const amountsOf = (type: string, details: Details): ActionAmount[] => {
  switch (type) {
    case 'jetton_swap':
      return [
        ...amountIn(side(details, 'dex_incoming_transfer'), 'amount', 'asset'),
        ...returned(amountIn(side(details, 'dex_outgoing_transfer'), 'amount', 'asset')),
      ]
    case 'dex_deposit_liquidity':
    case 'dex_withdraw_liquidity': {
      const legs = [...amountIn(details, 'amount_1', 'asset_1'), ...amountIn(details, 'amount_2', 'asset_2')]
      return type === 'dex_deposit_liquidity' ? legs : returned(legs)
    }
    case 'stake_deposit':
      return [...amountIn(details, 'amount'), ...returned(amountIn(details, 'tokens_minted', 'asset'))]
    case 'stake_withdrawal':
      return [...amountIn(details, 'amount'), ...returned(amountIn(details, 'tokens_burnt', 'asset'))]
    case 'nft_put_on_sale':
    case 'nft_update_sale':
      return amountIn(details, 'full_price')
    case 'nft_put_on_auction':
      return amountIn(details, 'min_bid')
    default:
      return type.startsWith('jetton_') ? amountIn(details, 'amount', 'asset') : firstOf(details)
  }
}

const firstOf = (details: Details): ActionAmount[] =>
  ['value', 'amount', 'ton_amount', 'price'].map((name) => amountIn(details, name)).find(({ length }) => length > 0) ??
  []

const noteOf = (details: Details): string | undefined => {
  const comment = text(details, 'comment')
  if (comment === undefined) return undefined
  const isEncrypted = details['encrypted'] === true || details['is_encrypted_comment'] === true
  return isEncrypted ? 'encrypted comment' : `“${comment}”`
}
