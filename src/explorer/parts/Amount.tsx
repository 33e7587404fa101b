import { useEffect, useState } from 'preact/hooks'
import { callV3 } from '../fetch/requests.ts'
import { groupDigits, splitAmount } from '../model/format.ts'
import { setup } from '../setup.ts'

export type Jetton = {
  readonly symbol: string | undefined
  readonly name: string | undefined
  readonly decimals: number
}

const DEFAULT_DECIMALS = 9
const known = new Map<string, Jetton | undefined>()
const listeners = new Set<() => void>()
let wanted = new Set<string>()

/** A jetton's metadata, fetched in one batch with all others on the page. */
export const useJetton = (address: string | undefined): Jetton | undefined => {
  const [, redraw] = useState(0)
  useEffect(() => {
    if (!setup.hasIndex || address === undefined || known.has(address)) return
    if (wanted.size === 0) setTimeout(() => void fetchWanted())
    wanted.add(address)
    const listener = (): void => redraw((count) => count + 1)
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }, [address])
  return address === undefined ? undefined : known.get(address)
}

const fetchWanted = async (): Promise<void> => {
  const addresses = [...wanted]
  wanted = new Set()
  try {
    const { result } = await callV3('jetton/masters', { address: addresses, limit: addresses.length })
    for (const address of addresses) known.set(address, undefined)
    for (const { address, jetton_content: content } of result.jetton_masters) {
      const decimals = Number(content?.['decimals'] ?? DEFAULT_DECIMALS)
      known.set(address, {
        symbol: content?.['symbol'],
        name: content?.['name'],
        decimals: decimals >= 0 && decimals <= 255 ? decimals : DEFAULT_DECIMALS,
      })
    }
  } catch {
    // Amounts are shown in the smallest unit; the next page retries.
  }
  for (const listener of listeners) listener()
}

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
