import { type Cell, type CellSlice, wholeSlice } from '../../codec/cell/Cell.ts'
import { openSlice } from '../../codec/cell/CellReader.ts'
import { CodedError } from '../../primitives/errors.ts'
import { builtInLayouts } from './builtInLayouts.ts'
import { LayoutCompiler } from './compileLayouts.ts'
import { createSignedBodies, type SignedBodies } from './createSignedBodies.ts'
import { type DecodeBudget, type DecodedObject, NO_FRAME, type Reader, TRUNCATED } from './DecodedValue.ts'
import { DecodeSession } from './DecodeSession.ts'
import { type LayoutSet, overlayLayouts } from './definitions.ts'

/** Tells what stands in message bodies. */
export interface BodyDecoder {
  /**
   * The body under the first layout that fits, `undefined` where none does. It never throws, whatever the cell. Cells that would take a
   * body over its budget are {@link TRUNCATED}; so are all bodies of an answer after the one that takes it over `budget`.
   */
  decode(body: Cell, budget?: DecodeBudget): DecodedObject | undefined
  /** The name of the first layout with this opcode (the first 32 bits of a body, unsigned). */
  nameOf(opcode: number): string | undefined
  /** The layouts it was given beyond the built-in ones. */
  readonly layouts: LayoutSet | undefined
}

type Candidates = { readonly name: string; readonly readers: readonly Reader[] }

const OPCODE_BITS = 32
const EMPTY_CELL_TEXT = 22

let builtIn: BodyDecoder | undefined

/** The decoder of the built-in layouts: one for the whole process, as it takes a while to make. */
export const builtInDecoder = (): BodyDecoder => {
  builtIn ??= createBodyDecoder()
  return builtIn
}

/**
 * Compiles the built-in layouts and the given ones. A given opcode or type replaces the built-in one.
 * This takes milliseconds; keep the decoder.
 */
export const createBodyDecoder = (layouts?: LayoutSet): BodyDecoder => {
  const all = layouts === undefined ? builtInLayouts() : overlayLayouts(layouts, builtInLayouts())
  const compiler = new LayoutCompiler(all)
  const table = new Map<number, Candidates>()
  for (const [opcode, definitions] of all.messages) {
    const readers = definitions.map((definition) => compiler.compileMessage(definition))
    table.set(opcode, { name: definitions[0]!.name, readers })
  }
  const signed = createSignedBodies(compiler)
  const decodeSlice = (slice: CellSlice, session: DecodeSession) => decodeWithin(slice, session, table, signed)
  return {
    decode: (body, budget) => decodeBody(body, budget, decodeSlice),
    nameOf: (opcode) => table.get(opcode)?.name,
    layouts,
  }
}

type DecodeSlice = (slice: CellSlice, session: DecodeSession) => DecodedObject | undefined

const decodeBody = (
  body: Cell,
  budget: DecodeBudget | undefined,
  decodeSlice: DecodeSlice,
): DecodedObject | undefined => {
  if (body.isExotic) return undefined
  if (budget?.isSpent) return TRUNCATED
  const session = new DecodeSession(body, decodeSlice)
  try {
    const decoded = decodeSlice(wholeSlice(body), session)
    if (session.isSpent) return TRUNCATED
    return decoded ?? (session.isFull ? TRUNCATED : undefined)
  } catch (error) {
    // Cells below may turn out to be pruned or broken when they are entered.
    if (error instanceof CodedError) return undefined
    throw error
  } finally {
    budget?.take(session)
  }
}

const decodeWithin = (
  slice: CellSlice,
  session: DecodeSession,
  table: ReadonlyMap<number, Candidates>,
  signed: SignedBodies,
): DecodedObject | undefined => {
  const bits = slice.bitEnd - slice.bitStart
  if (bits < OPCODE_BITS) {
    if (bits > 0 || slice.refStart !== slice.refEnd) return undefined
    session.takeText(EMPTY_CELL_TEXT)
    return { '@type': 'empty_cell' }
  }
  const opcode = openSlice(slice).readUint(OPCODE_BITS)
  const candidates = table.get(opcode)
  const unlabelled = signed.find(slice, session, candidates !== undefined)
  if (unlabelled !== undefined || candidates === undefined) return unlabelled
  for (const read of candidates.readers) {
    const { text } = session
    const r = openSlice(slice)
    r.skipBits(OPCODE_BITS)
    // Bits after the last field are ignored, as clients expect.
    const decoded = read(r, session, NO_FRAME)
    if (session.isSpent) return undefined
    if (decoded !== undefined) return decoded as DecodedObject
    session.text = text
  }
  return undefined
}

/** Why a body was not decoded, in the words that clients of `/decode` know. */
export const explainUndecoded = (body: Cell): string =>
  body.bits < OPCODE_BITS ? `unknown: boc is too small, size ${body.bits}` : 'unknown: no parser succeeded'

/**
 * A decoded body as it stands in messages, transfers and traces: there a comment has the form that clients knew before
 * other bodies were decoded. Comments inside other bodies, and `/decode`, have the plain form.
 */
export const toMessageForm = (decoded: DecodedObject): DecodedObject =>
  decoded['@type'] === 'text_comment' && typeof decoded['text'] === 'string'
    ? { type: 'text_comment', '@type': 'text_comment', comment: decoded['text'] }
    : decoded
