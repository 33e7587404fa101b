import type { Cell } from '../../codec/cell/Cell.ts'
import { openCell } from '../../codec/cell/CellReader.ts'
import { writeWhole } from '../../codec/cell/wholeCell.ts'
import type { ExtraCurrencies } from '../../codec/tlb/CurrencyCollection.ts'
import { bodyCell, type Message, type MessageRelaxed } from '../../codec/tlb/Message.ts'
import type { MsgAddress } from '../../codec/tlb/MsgAddress.ts'
import { writeStateInit } from '../../codec/tlb/StateInit.ts'
import { formatUpperRawAddress } from '../../primitives/Address.ts'
import { toBase64 } from '../../primitives/base64.ts'
import type { TraceMessage } from './TraceInput.ts'

/** A message as it stands in a cell. */
export const toTraceMessage = ({ info, init, body: given }: Message | MessageRelaxed, cell: Cell): TraceMessage => {
  const body = bodyCell(given)
  return {
    hash: toBase64(cell.hash()),
    source: info.kind === 'externalIn' ? undefined : addressOf(info.source),
    destination: info.kind === 'externalOut' ? undefined : addressOf(info.destination),
    value: info.kind === 'internal' ? info.value.grams : undefined,
    extraCurrencies: info.kind === 'internal' ? amountsOf(info.value.extra) : {},
    createdLt: info.kind === 'externalIn' ? undefined : info.createdLt,
    createdAt: info.kind === 'externalIn' ? undefined : info.createdAt,
    opcode: opcodeOf(body),
    bounce: info.kind === 'internal' && info.bounce,
    body,
    initState: init === undefined ? undefined : writeWhole(writeStateInit, init.value),
  }
}

/** The first 32 bits of a body; `undefined` where it is shorter. */
export const opcodeOf = (body: Cell): number | undefined =>
  body.isExotic || body.bits < 32 ? undefined : openCell(body).readUint(32)

const addressOf = (address: MsgAddress): string | undefined =>
  address.kind === 'std' ? formatUpperRawAddress(address) : undefined

const amountsOf = (extra: ExtraCurrencies): Record<string, string> =>
  Object.fromEntries([...extra.entries()].map(([id, amount]) => [String(id), String(amount)]))
