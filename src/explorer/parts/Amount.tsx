import { callV3 } from '../fetch/requests.ts'
import { createLookup } from '../live/createLookup.ts'
import { groupDigits, splitAmount } from '../model/format.ts'
import { setup } from '../setup.ts'

export type Jetton = {
  readonly symbol: string | undefined
  readonly name: string | undefined
  readonly decimals: number
}

const DEFAULT_DECIMALS = 9

/** A jetton by the address of its master. */
export const useJetton = createLookup<Jetton>(async (address) => {
  const { result } = await callV3('jetton/masters', { address, limit: address.length })
  return new Map(
    result.jetton_masters.map(({ address, jetton_content: content }) => {
      const decimals = Number(content?.['decimals'] ?? DEFAULT_DECIMALS)
      const jetton = {
        symbol: content?.['symbol'],
        name: content?.['name'],
        decimals: decimals >= 0 && decimals <= 255 ? decimals : DEFAULT_DECIMALS,
      }
      return [address, jetton]
    }),
  )
})

/** The jetton master of a jetton wallet. */
const useJettonOfWallet = createLookup<string>(async (address) => {
  const { result } = await callV3('jetton/wallets', { address, limit: address.length })
  return new Map(result.jetton_wallets.map(({ address, jetton }) => [address, jetton]))
})

type AmountProps = {
  /** In the smallest unit. */
  readonly value: bigint | string
  readonly sign?: '+' | '−' | undefined
  readonly maxFraction?: number
  readonly hasUnit?: boolean
}

export const Amount = ({ value, sign, maxFraction = 9, hasUnit = true }: AmountProps) => {
  const { whole, fraction } = splitAmount(BigInt(value), 9, maxFraction)
  return (
    <span class={`amount ${sign === '+' ? 'is-in' : sign === '−' ? 'is-out' : ''}`}>
      {sign}
      {whole}
      {fraction !== '' && <span class="fraction">.{fraction}</span>}
      {hasUnit && <span class="unit">{setup.unit}</span>}
    </span>
  )
}

/** A jetton amount; in the smallest unit until the decimals are known. */
export const JettonAmount = ({
  value,
  jetton,
  sign,
}: {
  readonly value: string
  readonly jetton: string
  readonly sign?: '+' | '−' | undefined
}) => {
  const known = useJetton(jetton)
  const shown = known === undefined ? undefined : splitAmount(BigInt(value), known.decimals)
  return (
    <span class={`amount ${sign === '+' ? 'is-in' : sign === '−' ? 'is-out' : ''}`}>
      {sign}
      {shown === undefined ? groupDigits(value) : shown.whole}
      {shown !== undefined && shown.fraction !== '' && <span class="fraction">.{shown.fraction}</span>}
      <span class="unit">{known?.symbol ?? known?.name ?? 'units'}</span>
    </span>
  )
}

/** An amount in a message from or to a jetton wallet; a bare number where no wallet is known. */
export const WalletAmount = ({ value, wallet }: { readonly value: string; readonly wallet: string }) => {
  const jetton = useJettonOfWallet(wallet)
  return jetton === undefined ? <span class="mono value">{value}</span> : <JettonAmount value={value} jetton={jetton} />
}
