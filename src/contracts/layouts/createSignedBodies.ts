import type { CellSlice } from '../../codec/cell/Cell.ts'
import { openSlice } from '../../codec/cell/CellReader.ts'
import type { LayoutCompiler } from './compileLayouts.ts'
import { type DecodedObject, NO_FRAME, type Reader } from './DecodedValue.ts'
import type { DecodeSession } from './DecodeSession.ts'

/** Bodies that start with a signature, so that their first 32 bits say nothing. */
export interface SignedBodies {
  /** `hasOpcode`: the first 32 bits happen to be, or are, the opcode of another layout. */
  find(slice: CellSlice, session: DecodeSession, hasOpcode: boolean): DecodedObject | undefined
}

const SIGNATURE_BITS = 512

/** Requests of Telegram's wallet: an opcode follows the signature. */
const telegramOpcodes: ReadonlySet<number> = new Set([
  0x63896e74, 0x63896e75, 0x73896e74, 0x73896e75, 0xfbba99c7, 0xfbba99c8,
])

/** Types of external messages without an opcode, as they are tried, and the sizes that each can have. */
const wallets: readonly { readonly type: string; mayBe(bits: number, refs: number): boolean }[] = [
  { type: 'PreprocessedWalletV2Body', mayBe: (bits, refs) => bits === SIGNATURE_BITS && refs === 1 },
  { type: 'HighloadV3Body', mayBe: (bits, refs) => bits === SIGNATURE_BITS && refs === 1 },
  { type: 'HighloadV2Body', mayBe: (bits, refs) => bits === SIGNATURE_BITS + 97 && refs <= 1 },
  { type: 'HighloadV1Body', mayBe: (bits, refs) => bits === SIGNATURE_BITS + 96 && refs === 1 },
  { type: 'WalletV4Body', mayBe: (bits) => bits >= SIGNATURE_BITS + 104 },
  { type: 'WalletV3Body', mayBe: (bits, refs) => bits === SIGNATURE_BITS + 96 + 8 * refs },
  { type: 'WalletV1V2Body', mayBe: (bits, refs) => bits === SIGNATURE_BITS + 64 + 8 * refs },
]

export const createSignedBodies = (compiler: LayoutCompiler): SignedBodies => {
  const telegram = compiler.compileType('TelegramWalletBody')
  const readers = wallets.map(({ type, mayBe }) => ({ mayBe, read: compiler.compileType(type) }))
  return {
    find: (slice, session, hasOpcode) => {
      const bits = slice.bitEnd - slice.bitStart
      if (bits < SIGNATURE_BITS) return undefined
      if (isTelegramRequest(slice, bits)) {
        const request = readWhole(slice, session, telegram)
        if (request !== undefined) return request
      }
      if (hasOpcode) return undefined
      const refs = slice.refEnd - slice.refStart
      for (const { mayBe, read } of readers) {
        const body = mayBe(bits, refs) ? readWhole(slice, session, read) : undefined
        if (body !== undefined) return body
      }
      return undefined
    },
  }
}

const isTelegramRequest = (slice: CellSlice, bits: number): boolean => {
  if (bits < SIGNATURE_BITS + 32) return false
  const r = openSlice(slice)
  r.skipBits(SIGNATURE_BITS)
  return telegramOpcodes.has(r.readUint(32))
}

/** With no opcode to go by, a layout fits only if nothing is left behind it. */
const readWhole = (slice: CellSlice, session: DecodeSession, read: Reader): DecodedObject | undefined => {
  const { text } = session
  const r = openSlice(slice)
  const body = read(r, session, NO_FRAME)
  if (body !== undefined && r.remainingBits === 0 && r.remainingRefs === 0) return body as DecodedObject
  session.text = text
  return undefined
}
