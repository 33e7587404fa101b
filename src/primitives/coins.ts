import { ParseError } from './errors.ts'

/** The largest amount a message or an account can carry, in nanograms. */
export const maxCoins = (1n << 120n) - 1n

/** An amount in nanograms from decimal digits without leading zeros. */
export const parseCoins = (text: string): bigint => {
  if (/^(0|[1-9][0-9]{0,36})$/.test(text)) {
    const coins = BigInt(text)
    if (coins <= maxCoins) return coins
  }
  throw new ParseError('an amount in nanograms, decimal and less than 2^120', text)
}
