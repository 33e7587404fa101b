import { CELL_UNDERFLOW, fault } from '../faults.ts'
import { toBig } from '../integers.ts'
import type { Slice } from '../values.ts'

/** Reads fixed-width fields in order; anything missing or left over is a malformed configuration. */
class Fields {
  private slice: Slice

  constructor(slice: Slice) {
    this.slice = slice
  }

  uint(bits: number): bigint {
    if (this.slice.bits < bits) fault(CELL_UNDERFLOW)
    const value = toBig(this.slice.uint(bits))
    this.slice = this.slice.skip(bits)
    return value
  }

  tag(expected: number): void {
    if (this.uint(8) !== BigInt(expected)) fault(CELL_UNDERFLOW)
  }

  peekTag(): number {
    return this.slice.bits < 8 ? fault(CELL_UNDERFLOW) : this.slice.small(8)
  }

  end(): void {
    if (!this.slice.isEmpty) fault(CELL_UNDERFLOW)
  }
}

export type GasPrices = { readonly flatLimit: bigint; readonly flatPrice: bigint; readonly price: bigint }

/** Configuration parameters 20 and 21, as far as fees need them. */
export const readGasPrices = (slice: Slice): GasPrices => {
  const fields = new Fields(slice)
  let flatLimit = 0n
  let flatPrice = 0n
  if (fields.peekTag() === 0xd1) {
    fields.tag(0xd1)
    flatLimit = fields.uint(64)
    flatPrice = fields.uint(64)
  }
  const isExtended = fields.peekTag() === 0xde
  fields.tag(isExtended ? 0xde : 0xdd)
  const price = fields.uint(64)
  // Gas limit, special gas limit (extended form only), credit, block limit, freeze and delete due limits.
  for (let k = 0; k < (isExtended ? 6 : 5); k++) fields.uint(64)
  fields.end()
  return { flatLimit, flatPrice, price }
}

export type MsgPrices = {
  readonly lumpPrice: bigint
  readonly bitPrice: bigint
  readonly cellPrice: bigint
  readonly ihrFactor: bigint
  readonly firstFraction: number
}

/** Configuration parameters 24 and 25. */
export const readMsgPrices = (slice: Slice): MsgPrices => {
  const fields = new Fields(slice)
  fields.tag(0xea)
  const prices = {
    lumpPrice: fields.uint(64),
    bitPrice: fields.uint(64),
    cellPrice: fields.uint(64),
    ihrFactor: fields.uint(32),
    firstFraction: Number(fields.uint(16)),
  }
  fields.uint(16)
  fields.end()
  return prices
}

/** One entry of configuration parameter 18. */
export const readStoragePrices = (slice: Slice) => {
  const fields = new Fields(slice)
  fields.tag(0xcc)
  fields.uint(32)
  const prices = {
    bitPrice: fields.uint(64),
    cellPrice: fields.uint(64),
    mcBitPrice: fields.uint(64),
    mcCellPrice: fields.uint(64),
  }
  fields.end()
  return prices
}

/** `max_msg_cells` of configuration parameter 43; its default where the parameter is absent. */
export const readMaxMessageCells = (slice: Slice | undefined): number => {
  if (slice === undefined) return 8192
  const fields = new Fields(slice)
  const tag = fields.peekTag()
  if (tag !== 1 && tag !== 2 && tag !== 3) fault(CELL_UNDERFLOW)
  fields.tag(tag)
  fields.uint(32)
  return Number(fields.uint(32))
}
