import { useJetton } from '../live/jettons.ts'
import { groupDigits, splitAmount } from '../model/amounts.ts'
import { setup } from '../setup.ts'

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

/** Of a jetton whose decimals may not be known yet: then in its smallest unit, and it says so. */
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
