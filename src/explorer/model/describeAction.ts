import type { ActionView } from '../../api/v3/views/actions.ts'

/** An action of any type, ready to show. */
export type ShownAction = {
  readonly title: string
  readonly from: string | undefined
  readonly to: string | undefined
  readonly amounts: readonly ActionAmount[]
  readonly note: string | undefined
  /** In hexadecimal. */
  readonly opcode: string | undefined
}

export type ActionAmount = {
  readonly value: string
  /** Jetton master; absent for coins. */
  readonly jetton?: string
}

type Details = { readonly [name: string]: unknown }

const titles: { readonly [type: string]: string } = {
  ton_transfer: 'Transfer',
  call_contract: 'Call',
  contract_deploy: 'Deploy',
  jetton_transfer: 'Jetton transfer',
  jetton_mint: 'Jetton mint',
  jetton_burn: 'Jetton burn',
  jetton_swap: 'Swap',
  nft_transfer: 'NFT transfer',
  nft_mint: 'NFT mint',
  nft_discovery: 'NFT discovery',
  change_dns: 'Change of DNS record',
  delete_dns: 'Deletion of DNS record',
  renew_dns: 'Renewal of domain',
  tick_tock: 'Tick-tock',
  unknown: 'Unknown',
}

const text = (details: Details, ...names: readonly string[]): string | undefined => {
  for (const name of names) {
    const value = details[name]
    if (typeof value === 'string' && value !== '') return value
  }
  return undefined
}

const nameType = (type: string): string => {
  const words = type
    .replaceAll('_', ' ')
    .replace(/\bnft\b/g, 'NFT')
    .replace(/\bdns\b/g, 'DNS')
    .replace(/\bton\b/g, 'coin')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export const describeAction = ({ type, details }: Pick<ActionView, 'type' | 'details'>): ShownAction => {
  const known = (details ?? {}) as Details
  return {
    title: titles[type] ?? nameType(type),
    from: text(known, 'source', 'sender', 'prev_owner', 'owner', 'from', 'user'),
    to: text(known, 'destination', 'receiver', 'new_owner', 'nft_item', 'vesting', 'to', 'pool'),
    amounts: amountsOf(type, known),
    note: noteOf(known),
    opcode: text(known, 'opcode'),
  }
}

const amountsOf = (type: string, details: Details): ActionAmount[] => {
  if (type === 'jetton_swap') return swapAmounts(details)
  const jetton = text(details, 'asset', 'jetton')
  const amount = text(details, 'amount')
  if (type.startsWith('jetton_') && amount !== undefined)
    return [{ value: amount, ...(jetton !== undefined && { jetton }) }]
  const value = text(details, 'value', 'amount', 'ton_amount', 'price')
  return value !== undefined && /^\d+$/.test(value) ? [{ value }] : []
}

const swapAmounts = (details: Details): ActionAmount[] =>
  [details['dex_incoming_transfer'], details['dex_outgoing_transfer']].flatMap((side) => {
    if (typeof side !== 'object' || side === null) return []
    const { asset, amount } = side as { asset?: unknown; amount?: unknown }
    if (typeof amount !== 'string') return []
    return [{ value: amount, ...(typeof asset === 'string' && { jetton: asset }) }]
  })

const noteOf = (details: Details): string | undefined => {
  const comment = text(details, 'comment')
  if (comment !== undefined) return details['encrypted'] === true ? 'encrypted comment' : `“${comment}”`
  return undefined
}
