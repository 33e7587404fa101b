import type { Cell, CellSlice } from '../cell/Cell.ts'
import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'
import { CellError } from '../cell/errors.ts'
import { readWholeRef, writeWhole } from '../cell/wholeCell.ts'
import { type CurrencyCollection, readCurrencyCollection, writeCurrencyCollection } from './CurrencyCollection.ts'

const PLAIN = 0xffffffff
const DETAILED = 0xfffffffe
const MAX_KEPT_BITS = 256

/** Where the message was turned back. A `skipped` compute phase gives its reason as a negative exit code. */
export type BouncePhaseName = 'skipped' | 'compute' | 'action'

const phases: readonly BouncePhaseName[] = ['skipped', 'compute', 'action']

/** The message that came back, as it was sent. */
export type BouncedMessageInfo = {
  readonly value: CurrencyCollection
  readonly createdLt: bigint
  readonly createdAt: number
}

export type BouncedCompute = { readonly gasUsed: number; readonly vmSteps: number }

export type BouncedBody =
  /** Nothing is returned: blocks without the capability for bounced bodies. */
  | { readonly kind: 'empty' }
  /** The format of all messages that ask for no other: at most the first 256 bits of the body. */
  | { readonly kind: 'plain'; readonly bodyStart: CellSlice }
  /** Asked for by extra_flags of the message, from global version 12 on. */
  | {
      readonly kind: 'detailed'
      readonly originalBody: Cell
      readonly originalInfo: BouncedMessageInfo
      readonly phase: BouncePhaseName
      readonly exitCode: number
      readonly compute: BouncedCompute | undefined
    }

/**
 * The body of a message with `bounced` set: nothing, ffffffff and bits, or
 * new_bounce_body#fffffffe original_body:^Cell original_info:^NewBounceOriginalInfo bounced_by_phase:uint8 exit_code:int32
 *   compute_phase:(Maybe NewBounceComputePhaseInfo) = NewBounceBody;
 * _ gas_used:uint32 vm_steps:uint32 = NewBounceComputePhaseInfo;
 */
export const readBouncedBody = (r: CellReader): BouncedBody => {
  if (r.remainingBits === 0 && r.remainingRefs === 0) return { kind: 'empty' }
  const tag = r.readUint(32)
  switch (tag) {
    case PLAIN: {
      const bodyStart = r.readRest()
      checkBodyStart(bodyStart)
      return { kind: 'plain', bodyStart }
    }
    case DETAILED:
      return {
        kind: 'detailed',
        originalBody: r.readRefCell(),
        originalInfo: readWholeRef(r, readBouncedMessageInfo, 'What is known of a bounced message'),
        phase: readPhase(r),
        exitCode: r.readInt(32),
        compute: r.readBit() ? { gasUsed: r.readUint(32), vmSteps: r.readUint(32) } : undefined,
      }
    default:
      throw new CellError(`A bounced body starts with ffffffff or fffffffe, ${tag.toString(16).padStart(8, '0')} came.`)
  }
}

export const writeBouncedBody = (w: CellWriter, body: BouncedBody): void => {
  switch (body.kind) {
    case 'empty':
      return
    case 'plain':
      checkBodyStart(body.bodyStart)
      w.writeUint(PLAIN, 32).writeSlice(body.bodyStart)
      return
    case 'detailed':
      w.writeUint(DETAILED, 32)
        .writeRef(body.originalBody)
        .writeRef(writeWhole(writeBouncedMessageInfo, body.originalInfo))
      w.writeUint(phases.indexOf(body.phase), 8)
        .writeInt(body.exitCode, 32)
        .writeBit(body.compute !== undefined)
      if (body.compute !== undefined) w.writeUint(body.compute.gasUsed, 32).writeUint(body.compute.vmSteps, 32)
  }
}

/** _ value:CurrencyCollection created_lt:uint64 created_at:uint32 = NewBounceOriginalInfo; */
const readBouncedMessageInfo = (r: CellReader): BouncedMessageInfo => ({
  value: readCurrencyCollection(r),
  createdLt: r.readUint64(),
  createdAt: r.readUint(32),
})

const writeBouncedMessageInfo = (w: CellWriter, { value, createdLt, createdAt }: BouncedMessageInfo): void => {
  writeCurrencyCollection(w, value)
  w.writeUint64(createdLt).writeUint(createdAt, 32)
}

const readPhase = (r: CellReader): BouncePhaseName => {
  const number = r.readUint(8)
  const phase = phases[number]
  if (phase === undefined) throw new CellError(`A message bounces in phase 0 to 2, ${number} came.`)
  return phase
}

const checkBodyStart = ({ bitStart, bitEnd, refStart, refEnd }: CellSlice): void => {
  if (bitEnd - bitStart > MAX_KEPT_BITS || refStart !== refEnd) {
    throw new CellError(
      `A plain bounced body keeps at most ${MAX_KEPT_BITS} bits and no references of the original, ` +
        `${bitEnd - bitStart} bits and ${refEnd - refStart} references came.`,
    )
  }
}
