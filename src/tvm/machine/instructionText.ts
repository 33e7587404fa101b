import { toUpperHex } from '../../primitives/hex.ts'
import { peekBits, peekInt } from './bits.ts'
import type { Instruction } from './Vm.ts'
import type { Slice } from './values.ts'

/** An instruction as text, and how much of the code it takes: opcode, operands, inline data. */
export type InstructionText = { readonly text: string; readonly bits: number; readonly refs: number }

/** Names of nodes where they differ from those of the table. */
const NODE_NAMES: Readonly<Record<string, string>> = {
  SWAP2: '2SWAP',
  DROP2: '2DROP',
  DUP2: '2DUP',
  OVER2: '2OVER',
  PUSHCTR: 'PUSH',
  POPCTR: 'POP',
  ENDCST: 'STBREFR',
  STREFCONST: 'STREF1CONST',
  BBITREFS: 'BBITSREFS',
  BREMBITREFS: 'BREMBITSREFS',
  PFXDICTCONSTGETJMP: 'PFXDICTSWITCH',
  XCHG_0I: 'XCHG',
  XCHG_0I_LONG: 'XCHG',
  XCHG_1I: 'XCHG',
  XCHG_IJ: 'XCHG',
}

/** Forms with names of their own. */
const SPECIAL_FORMS: Readonly<Record<string, readonly (string | undefined)[]>> = {
  XCHG_0I: ['SWAP'],
  PUSH: ['DUP', 'OVER'],
  POP: ['DROP', 'NIP'],
  GETPARAM: [
    ...[undefined, undefined, undefined, 'NOW', 'BLOCKLT', 'LTIME', 'RANDSEED', 'BALANCE', 'MYADDR', 'CONFIGROOT'],
    ...['MYCODE', 'INCOMINGVALUE', 'STORAGEFEES', 'PREVBLOCKSINFOTUPLE', 'UNPACKEDCONFIGTUPLE', 'DUEPAYMENT'],
  ],
  INMSGPARAM: [
    ...['INMSG_BOUNCE', 'INMSG_BOUNCED', 'INMSG_SRC', 'INMSG_FWDFEE', 'INMSG_LT', 'INMSG_UTIME'],
    ...['INMSG_ORIGVALUE', 'INMSG_VALUE', 'INMSG_VALUEEXTRA', 'INMSG_STATEINIT'],
  ],
}

const SUFFIX = /_(?:LONG|4|8|16|SHORT|ALT|VAR|REFS|SPECIAL)$|#(?=$|[RC]$)/

/** Inline data: bits of the reference count and of the length, bits per unit of length, and bits beyond. */
const INLINE: Readonly<Record<string, readonly [refs: number, length: number, extra: number, moreRefs: number]>> = {
  slice4: [0, 4, 4, 0],
  slice1: [2, 5, 1, 1],
  slice6: [3, 7, 6, 0],
  slice3: [0, 7, 3, 0],
  slice2: [2, 3, 2, 0],
  cont: [2, 7, 0, 0],
  contShort: [0, 4, 0, 0],
  long: [0, 5, 19, 0],
  text: [0, 4, 8, 0],
}

/** The text of the instruction that `code` begins with, in the words of a node's log. */
export const describeInstruction = (instruction: Instruction, word: number, code: Slice): InstructionText => {
  const { name, operands, bits } = instruction
  const opcode = word >> (24 - bits)
  const inline = INLINE[operands]
  if (inline !== undefined) {
    const isQuiet = name === 'SDBEGINS' && (opcode & 0x80) !== 0
    return describeInline(`${baseName(name)}${isQuiet ? 'Q' : ''}`, operands, inline, instruction, opcode, code)
  }
  if (name === 'GETPARAMLONG' && (opcode & 0xff) === 17) return { text: 'INMSGPARAMS', bits, refs: 0 }
  const special = SPECIAL_FORMS[name]?.[opcode - instruction.from]
  if (special !== undefined) return { text: special, bits, refs: 0 }
  const division = describeDivision(opcode, bits)
  if (division !== undefined) return { text: division, bits, refs: 0 }
  return describeOperands(nodeName(name, opcode, bits), operands, instruction, opcode, code)
}

const baseName = (name: string): string => NODE_NAMES[name] ?? name.replace(SUFFIX, '')

/** Quiet arithmetic goes under the name of its loud form, but for comparisons. */
const nodeName = (name: string, opcode: number, bits: number): string => {
  const base = baseName(name)
  const prefix = opcode >> (bits - 8)
  if (prefix !== 0xb7) return /^ST(?:BREF|SLICE|B)R?Q$/.test(base) ? base.slice(0, -1) : base
  if (base.startsWith('RIST255_Q')) return base.replace('_Q', '_')
  const second = (opcode >> (bits - 16)) & 0xff
  const isRenamed = second < 0xb6 || (second === 0xb6 && (opcode & 0xff) <= 3)
  return isRenamed ? base.slice(1) : base
}

/** Divisions and shifts: a node tells the family and the number of the form. */
const describeDivision = (opcode: number, bits: number): string | undefined => {
  const prefix = opcode >> (bits - 8)
  const rest = prefix === 0xb7 ? opcode & 0xffff : opcode
  const length = prefix === 0xb7 ? bits - 8 : bits
  if (length < 16 || rest >> (length - 8) !== 0xa9) return undefined
  const form = (rest >> (length - 16)) & 0xff
  const family = (['DIV/MOD', 'SHR/MOD', undefined, undefined, 'MULDIV/MOD', 'MULSHR/MOD', 'SHLDIV/MOD'] as const)[
    form >> 5
  ]
  if (family === undefined) return undefined
  if (!family.includes('SH')) return `${family} ${form & 15}`
  return `${family} ${form & 15},${length === 24 ? (rest & 0xff) + 1 : -1}`
}

const describeInline = (
  name: string,
  kind: string,
  [refBits, lengthBits, extra, moreRefs]: readonly [number, number, number, number],
  { bits }: Instruction,
  opcode: number,
  code: Slice,
): InstructionText => {
  const length = opcode & ((1 << lengthBits) - 1)
  const refs = moreRefs + (refBits === 0 ? 0 : (opcode >> lengthBits) & ((1 << refBits) - 1))
  const wanted = 8 * length + extra
  if (code.bits < bits + wanted || code.refs < refs) return { text: `${name} ?`, bits: bits + wanted, refs }
  const data = code.skip(bits).first(wanted, refs)
  const text =
    kind === 'long'
      ? String(peekInt(data.bytes, data.offset, wanted))
      : kind === 'text'
        ? toUpperHex(data.toBytes())
        : `x${hexOf(kind.startsWith('slice') ? data.withoutCompletion() : data)}${refs === 0 ? '' : `,${refs}`}`
  return { text: `${name} ${text}`, bits: bits + wanted, refs }
}

/** Bits in hexadecimal digits; `_` ends those that are not a multiple of four, after a 1 and zeros. */
const hexOf = (slice: Slice): string => {
  let text = ''
  const { bits } = slice
  for (let at = 0; at + 4 <= bits; at += 4) text += slice.small(4, at).toString(16)
  const rest = bits & 3
  if (rest > 0) text += `${((((slice.small(rest, bits - rest) << 1) | 1) << (3 - rest)) & 15).toString(16)}_`
  return text.toUpperCase()
}

const OPERAND = /^(?<kind>[sucirf-]|ref)(?<size>\d*)(?<any>any)?(?<shift>[+-]\d*)?(?:\*(?<factor>\d+))?$/

const describeOperands = (
  name: string,
  operands: string,
  { bits }: Instruction,
  opcode: number,
  code: Slice,
): InstructionText => {
  if (operands === '') return { text: name, bits, refs: 0 }
  const kinds = operands.split(',')
  const values: string[] = []
  const cells: string[] = []
  let at = bits - kinds.reduce((sum, kind) => sum + sizeOf(kind), 0)
  for (const kind of kinds) {
    if (kind === 'ref') {
      const isThere = cells.length < code.refs
      cells.push(isThere ? `(${toUpperHex(code.ref(cells.length).hash())})` : '(?)')
      continue
    }
    if (kind === 's0') continue
    const size = sizeOf(kind)
    const value = (opcode >> (bits - at - size)) & ((1 << size) - 1)
    values.push(formatOperand(kind, value, size))
    at += size
  }
  const refs = cells.length
  const parts = [name]
  if (values.length > 0) parts.push(values.join(','))
  // A dictionary stands for itself; constants are not told.
  if (name === 'DICTPUSHCONST' || name === 'PFXDICTSWITCH') parts.push('(xC_,1)')
  else if (!name.startsWith('STREF')) parts.push(...cells)
  return { text: parts.join(' '), bits, refs }
}

const FIXED = /^(?:ref|s0|s1|-1)$/

const sizeOf = (kind: string): number => (FIXED.test(kind) ? 0 : Number(OPERAND.exec(kind)?.groups?.['size'] ?? 0))

const formatOperand = (kind: string, value: number, size: number): string => {
  if (kind === '-1' || kind === 's1') return kind
  const { kind: type, any, shift = '', factor } = OPERAND.exec(kind)!.groups!
  if (any !== undefined) return String(value === (1 << size) - 1 ? -1 : value)
  if (type === 'i' && shift === '-') return String(value - (1 << size))
  // Numbers of four bits are from −5 to 10.
  if (type === 'i') return String(value >= (size === 4 ? 11 : 1 << (size - 1)) ? value - (1 << size) : value)
  const shifted = (value + Number(shift === '' ? 0 : shift)) * Number(factor ?? 1)
  return type === 's' || type === 'c' ? `${type}${shifted}` : String(shifted)
}

/** The 24 bits that stand at a position of code, with zeros behind its end. */
export const wordAt = (code: Slice): number => {
  const word = peekBits(code.bytes, code.offset, 24)
  return code.bits < 24 ? word & (-1 << (24 - code.bits)) & 0xffffff : word
}
