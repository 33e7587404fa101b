import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'
import { CellError } from '../cell/errors.ts'

/** Where a message stands on its way. Nodes write the regular form only. */
export type IntermediateAddress =
  /** The first bits (of 32 of the workchain and 64 of the address) are the destination's, the rest are the source's. */
  | { readonly kind: 'regular'; readonly useDestBits: number }
  | { readonly kind: 'simple' | 'extended'; readonly workchain: number; readonly prefix: bigint }

const MAX_DEST_BITS = 96

/**
 * interm_addr_regular$0 use_dest_bits:(#<= 96) = IntermediateAddress;
 * interm_addr_simple$10 workchain_id:int8 addr_pfx:uint64 = IntermediateAddress;
 * interm_addr_ext$11 workchain_id:int32 addr_pfx:uint64 = IntermediateAddress;
 */
export const readIntermediateAddress = (r: CellReader): IntermediateAddress => {
  if (!r.readBit()) return { kind: 'regular', useDestBits: checkBits(r.readUint(7)) }
  if (r.readBit()) return { kind: 'extended', workchain: r.readInt(32), prefix: r.readUint64() }
  return { kind: 'simple', workchain: r.readInt(8), prefix: r.readUint64() }
}

export const writeIntermediateAddress = (w: CellWriter, address: IntermediateAddress): void => {
  switch (address.kind) {
    case 'regular':
      w.writeBit(false).writeUint(checkBits(address.useDestBits), 7)
      return
    case 'simple':
      w.writeUint(0b10, 2).writeInt(address.workchain, 8).writeUint64(address.prefix)
      return
    case 'extended':
      w.writeUint(0b11, 2).writeInt(address.workchain, 32).writeUint64(address.prefix)
  }
}

const checkBits = (bits: number): number => {
  if (bits > MAX_DEST_BITS)
    throw new CellError(`An address on the way has at most 96 bits of its destination, not ${bits}.`)
  return bits
}
