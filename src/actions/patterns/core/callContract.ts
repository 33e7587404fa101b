import { formatOpcode } from '../../rows/format.ts'
import { blockKind } from '../../tree/Block.ts'

export type CallData = {
  readonly opcode: number | undefined
  readonly source: string | undefined
  readonly destination: string | undefined
  readonly value: bigint | undefined
  readonly extraCurrencies: Readonly<Record<string, string>>
}

/** Any message that is no plain transfer. */
export const callContract = blockKind<CallData>({
  name: 'call_contract',
  isClosed: true,
  describe: ({ data: { opcode, source, destination, value, extraCurrencies } }) => ({
    source,
    destination,
    movesExtraCurrencies: Object.keys(extraCurrencies).length > 0,
    details: {
      opcode: formatOpcode(opcode),
      source,
      destination,
      value: value?.toString(),
      extra_currencies: extraCurrencies,
    },
  }),
})
