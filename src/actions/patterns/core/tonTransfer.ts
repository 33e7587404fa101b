import { blockKind } from '../../tree/Block.ts'

export type TonTransferData = {
  readonly source: string
  readonly destination: string
  readonly value: bigint
  readonly extraCurrencies: Readonly<Record<string, string>>
  /** Of an encrypted one its bytes, base64. */
  readonly comment: string | undefined
  readonly encrypted: boolean
}

/** Coins with nothing but a comment. */
export const tonTransfer = blockKind<TonTransferData>({
  name: 'ton_transfer',
  isClosed: true,
  describe: ({ data: { source, destination, value, extraCurrencies, comment, encrypted } }) => ({
    source,
    destination,
    movesExtraCurrencies: Object.keys(extraCurrencies).length > 0,
    details: {
      source,
      destination,
      value: String(value),
      value_extra_currencies: extraCurrencies,
      comment: comment ?? null,
      encrypted,
    },
  }),
})
