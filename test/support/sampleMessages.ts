import { type Cell, wholeSlice } from '../../src/codec/cell/Cell.ts'
import { CellWriter, emptyCell } from '../../src/codec/cell/CellWriter.ts'
import { Dict } from '../../src/codec/cell/Dict.ts'
import { writeWhole } from '../../src/codec/cell/wholeCell.ts'
import { type CurrencyCollection, extraCurrenciesType } from '../../src/codec/tlb/CurrencyCollection.ts'
import { writeMessage } from '../../src/codec/tlb/Message.ts'
import type { AddrStd } from '../../src/codec/tlb/MsgAddress.ts'
import { type MsgEnvelope, writeMsgEnvelope } from '../../src/codec/tlb/MsgEnvelope.ts'

/** 32 equal bytes: a hash or an account id that is easy to see in a failure. */
export const filled = (byte: number): Uint8Array => new Uint8Array(32).fill(byte)

/** A cell that is only there to be referred to. */
export const marker = (id: number): Cell => new CellWriter().writeUint(id, 32).toCell()

export const amount = (grams: bigint, extra: readonly (readonly [number, bigint])[] = []): CurrencyCollection => ({
  grams,
  extra: Dict.of(extraCurrenciesType, extra),
})

export const address = (workchain: number, byte: number): AddrStd => ({
  kind: 'std',
  workchain,
  hash: filled(byte),
  anycast: undefined,
})

type InternalMessage = {
  readonly value: CurrencyCollection
  readonly extraFlags?: bigint
  readonly fwdFee?: bigint
  readonly createdLt?: bigint
}

export const internalMessage = ({ value, extraFlags = 0n, fwdFee = 0n, createdLt = 0n }: InternalMessage): Cell =>
  writeWhole(writeMessage, {
    info: {
      kind: 'internal',
      ihrDisabled: true,
      bounce: false,
      bounced: false,
      source: address(0, 1),
      destination: address(0, 2),
      value,
      extraFlags,
      fwdFee,
      createdLt,
      createdAt: 1_700_000_000,
    },
    init: undefined,
    body: wholeSlice(emptyCell),
  })

export const externalMessage = (): Cell =>
  writeWhole(writeMessage, {
    info: { kind: 'externalIn', source: { kind: 'none' }, destination: address(0, 2), importFee: 0n },
    init: undefined,
    body: wholeSlice(emptyCell),
  })

export const envelope = (msg: Cell, more: Partial<MsgEnvelope> = {}): MsgEnvelope => ({
  version: 1,
  curAddr: { kind: 'regular', useDestBits: 96 },
  nextAddr: { kind: 'regular', useDestBits: 96 },
  fwdFeeRemaining: 0n,
  msg,
  emittedLt: undefined,
  metadata: undefined,
  ...more,
})

export const envelopeCell = (msg: Cell, more: Partial<MsgEnvelope> = {}): Cell =>
  writeWhole(writeMsgEnvelope, envelope(msg, more))
