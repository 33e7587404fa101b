import type { Cell } from '../../codec/cell/Cell.ts'
import { type CellReader, openCell } from '../../codec/cell/CellReader.ts'
import { sliceToCell } from '../../codec/cell/CellWriter.ts'
import { readMsgAddress } from '../../codec/tlb/MsgAddress.ts'
import { formatUpperRawAddress } from '../../primitives/Address.ts'
import { CodedError } from '../../primitives/errors.ts'
import type { TraceMessage } from '../trace/TraceInput.ts'
import { type Block, expectPresent } from '../tree/Block.ts'

const OPCODE_BITS = 32

/** The message that a block begins with; tick-tock transactions have none. */
export const messageOf = (block: Block): TraceMessage => expectPresent(block.nodes[0]?.message, 'message')

/** The body of the message that a block begins with, behind its opcode. */
export const openBody = (block: Block): CellReader => {
  const r = openCell(messageOf(block).body)
  r.skipBits(OPCODE_BITS)
  return r
}

/** An address as raw text in upper case; `undefined` where there is none, or one outside of the chain. */
export const readAddress = (r: CellReader): string | undefined => {
  const address = readMsgAddress(r)
  return address.kind === 'std' ? formatUpperRawAddress(address) : undefined
}

/** An address that must be there. */
export const readGivenAddress = (r: CellReader): string => expectPresent(readAddress(r), 'address')

/** (Either Cell ^Cell), the last of a body; many contracts leave it out altogether, which is `undefined`. */
export const readEitherPayload = (r: CellReader): Cell | undefined => {
  if (r.remainingBits === 0) return undefined
  return r.readBit() ? r.readRefCell() : sliceToCell(r.readRest())
}

/** Reads a part of a body, or gives `undefined` where it cannot be read. */
export const tryRead = <T>(read: () => T): T | undefined => {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    return undefined
  }
}
