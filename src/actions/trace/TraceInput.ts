import type { Cell } from '../../codec/cell/Cell.ts'
import { openCell } from '../../codec/cell/CellReader.ts'
import { writeWhole } from '../../codec/cell/wholeCell.ts'
import type { ExtraCurrencies } from '../../codec/tlb/CurrencyCollection.ts'
import { bodyCell, type Message, type MessageRelaxed } from '../../codec/tlb/Message.ts'
import type { MsgAddress } from '../../codec/tlb/MsgAddress.ts'
import { writeStateInit } from '../../codec/tlb/StateInit.ts'
import { formatUpperRawAddress } from '../../primitives/Address.ts'
import { toBase64 } from '../../primitives/base64.ts'

/** A message as patterns see it. Hashes are base64 and addresses raw in upper case, as they are shown in the end. */
export type TraceMessage = {
  readonly hash: string
  /** `undefined` for one from outside. */
  readonly source: string | undefined
  /** `undefined` for one to the outside. */
  readonly destination: string | undefined
  readonly value: bigint | undefined
  /** Amounts as text by the numbers of their currencies. */
  readonly extraCurrencies: Readonly<Record<string, string>>
  readonly createdLt: bigint | undefined
  readonly createdAt: number | undefined
  /** The first 32 bits of the body, unsigned; `undefined` where it is shorter. */
  readonly opcode: number | undefined
  readonly bounce: boolean
  readonly body: Cell
  readonly initState: Cell | undefined
}

export type TraceTransaction = {
  readonly hash: string
  readonly account: string
  readonly lt: bigint
  readonly now: number
  readonly origStatus: 'uninit' | 'frozen' | 'active' | 'nonexist'
  readonly endStatus: 'uninit' | 'frozen' | 'active' | 'nonexist'
  readonly isTickTock: boolean
  readonly aborted: boolean
  /** `undefined` where no code ran. */
  readonly exitCode: number | undefined
  /** Why no code ran, where that is known. */
  readonly skipReason: 'no_state' | 'bad_state' | 'no_gas' | 'suspended' | undefined
  readonly inMessage: TraceMessage | undefined
  /** In the order in which they were sent. */
  readonly outMessages: readonly TraceMessage[]
}

/** A finished trace. */
export type TraceInput = {
  readonly traceId: string
  readonly externalHash: string | undefined
  /** Only where it differs. */
  readonly externalHashNorm: string | undefined
  readonly endLt: bigint
  readonly endUtime: number
  readonly endSeqno: number
  /** By logical time. */
  readonly transactions: readonly TraceTransaction[]
}

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
