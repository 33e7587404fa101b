import { Type } from 'typebox'
import type { Cell } from '../../codec/cell/Cell.ts'
import { Dict } from '../../codec/cell/Dict.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import { readWhole } from '../../codec/cell/wholeCell.ts'
import { type ExtraCurrencies, extraCurrenciesType } from '../../codec/tlb/CurrencyCollection.ts'
import { readStateInit, type StateInit } from '../../codec/tlb/StateInit.ts'
import type { NetworkControls } from '../../devnet/network/NetworkControls.ts'
import { fromBase64 } from '../../primitives/base64.ts'
import { ParseError } from '../../primitives/errors.ts'
import { fromHex } from '../../primitives/hex.ts'
import { endpointFor } from '../core/Endpoint.ts'
import { param } from '../core/params.ts'

/** Defines an endpoint over the controls of the embedded network. */
export const devEndpoint = endpointFor<NetworkControls>()

// A base64 bag of cells always starts with "t", so a text of hex digits alone is hexadecimal.
const parseCell = (text: string): Cell =>
  decodeSingleBoc(/^[0-9a-fA-F]*$/.test(text) ? fromHex(text) : fromBase64(text))

/** A bag of cells with one root. */
export const CellParam = param(
  Type.String({
    description: 'A bag of cells with one root, in base64 or hexadecimal.',
    examples: ['te6cckEBAQEADgAAGNUydtsAAAAAAAAABxylUgg='],
  }),
  parseCell,
)

/** A StateInit cell. */
export const StateInitParam = param(
  Type.String({ description: 'A StateInit as a bag of cells, in base64 or hexadecimal.' }),
  (text): StateInit => readWhole(parseCell(text), readStateInit, 'StateInit'),
)

const maxCurrencies = 256
const maxAmount = (1n << 248n) - 1n

const parseCurrencies = (amounts: Record<string, string>): ExtraCurrencies => {
  const entries = Object.entries(amounts)
  if (entries.length > maxCurrencies) throw new ParseError(`at most ${maxCurrencies} currencies`, `${entries.length}`)
  let currencies: ExtraCurrencies = new Dict(extraCurrenciesType)
  for (const [id, amount] of entries) {
    if (!/^(0|[1-9][0-9]{0,9})$/.test(id) || Number(id) > 0xffff_ffff) {
      throw new ParseError('a currency id below 2^32', id)
    }
    if (!/^[1-9][0-9]{0,74}$/.test(amount) || BigInt(amount) > maxAmount) {
      throw new ParseError('a decimal amount above 0 and below 2^248', amount)
    }
    currencies = currencies.set(Number(id), BigInt(amount))
  }
  return currencies
}

/** Amounts of extra currencies by their id. */
export const ExtraCurrenciesParam = param(
  Type.Record(Type.String(), Type.String(), {
    description: 'Extra currencies: id → amount, both as decimal text.',
    examples: [{ '100': '2500000' }],
  }),
  parseCurrencies,
)
