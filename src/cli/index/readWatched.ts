import { addressKeyOf, parseAddress } from '../../primitives/Address.ts'
import { UsageError } from '../errors.ts'

/** The keys of the accounts to watch; `undefined` where all are. */
export const readWatched = (texts: readonly string[]): readonly Uint8Array[] | undefined => {
  if (texts.length === 0) return undefined
  return texts.map((text) => {
    try {
      return addressKeyOf(parseAddress(text))
    } catch {
      const advice = 'Raw addresses (0:83df…) and those that wallets show (EQCD3…) are taken.'
      throw new UsageError(`--watch takes addresses of accounts, ${JSON.stringify(text)} is none.`, advice)
    }
  })
}
