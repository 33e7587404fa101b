import type { Cell } from '../codec/cell/Cell.ts'
import { walkDict } from '../codec/cell/dictNodes.ts'
import { CodedError } from '../primitives/errors.ts'
import { toHex } from '../primitives/hex.ts'
import { decoderFor, NEWEST_VERSION } from './machine/instructions/table.ts'
import { describeInstruction, wordAt } from './machine/instructionText.ts'
import { Slice } from './machine/values.ts'

/** Code as text: a line for each instruction with its offset in bits, what is inside one below it and further to the right. */
export type Listing = {
  readonly lines: readonly string[]
  /** Methods of the code, where it chooses among them as compilers lay it out. */
  readonly methods: readonly ListedMethod[]
}

export type ListedMethod = { readonly id: number; readonly lines: readonly string[] }

/** More would not be read; the rest of such code is folded. */
const MAX_LINES = 20_000
const MAX_DEPTH = 64
const INDENT = '  '

class Lister {
  readonly methods: ListedMethod[] = []
  private readonly decoder = decoderFor(NEWEST_VERSION)
  private readonly dictionaries = new MethodDictionaries()
  private readonly seen = new Set<string>()
  private count = 0

  list(start: Slice, depth: number): string[] {
    const lines: string[] = []
    let code = start
    for (;;) {
      if (++this.count > MAX_LINES || depth > MAX_DEPTH) return [...lines, '…']
      if (code.bits === 0) {
        if (code.refs === 0) return lines
        // The end of a cell jumps to its first reference.
        const next = code.ref(0)
        const rest = this.open(next)
        if (rest === undefined) return [...lines, `→ ${nameOf(next)}`]
        lines.push(`→ ${nameOf(next)}`)
        code = rest
        continue
      }
      const word = wordAt(code)
      const instruction = this.decoder.find(word)
      if (instruction === undefined || instruction.bits > code.bits) return [...lines, `${code.bitStart}: not code`]
      const { text, bits, refs } = describeInstruction(instruction, word, code)
      if (bits > code.bits || refs > code.refs) return [...lines, `${code.bitStart}: ${text} (cut off)`]
      lines.push(`${code.bitStart}: ${text}`)
      const operands = instruction.operands
      if (operands.startsWith('cont')) {
        const { bitStart, refStart } = code
        const inner = new Slice(
          code.arena,
          code.index,
          bitStart + instruction.bits,
          bitStart + bits,
          refStart,
          refStart + refs,
        )
        lines.push(...this.list(inner, depth + 1).map((line) => INDENT + line))
      } else if (instruction.name === 'DICTPUSHCONST')
        this.listMethods(code.ref(0), (word >> (24 - instruction.bits)) & 0x3ff, depth)
      else if (operands.includes('ref')) {
        for (let k = 0; k < refs; k++) {
          const inner = isCode(instruction.name) ? this.open(code.ref(k)) : undefined
          if (inner !== undefined) lines.push(...this.list(inner, depth + 1).map((line) => INDENT + line))
        }
      }
      code = code.skip(bits, refs)
    }
  }

  /** The contents of a cell that has not been listed yet. */
  private open(cell: Cell): Slice | undefined {
    if (cell.isExotic) return undefined
    const key = toHex(cell.hash())
    if (this.seen.has(key)) return undefined
    this.seen.add(key)
    return Slice.of(cell)
  }

  private listMethods(root: Cell, keyBits: number, depth: number): void {
    this.dictionaries.walk(root, keyBits, (id, body) => {
      this.methods.push({ id, lines: this.list(body, depth + 1) })
      return this.count <= MAX_LINES
    })
  }
}

/** Code has one dictionary of methods, seldom a few more of something else. */
const MAX_DICTIONARIES = 64

/** Walks over dictionaries in code. Equal cells are one: small code may have very many dictionaries, each with very many methods. */
export class MethodDictionaries {
  private count = 0

  /** Calls back for each method until that says false. Returns false for a dictionary of something else, and for one too many. */
  walk(root: Cell, keyBits: number, visit: (id: number, body: Slice) => boolean): boolean {
    if (++this.count > MAX_DICTIONARIES) return false
    try {
      walkDict(root, keyBits, (key, leaf) => {
        const { arena, index, bitStart, bitEnd, refStart, refEnd } = leaf.rest()
        return visit(toSigned(key, keyBits), new Slice(arena, index, bitStart, bitEnd, refStart, refEnd))
      })
      return true
    } catch (error) {
      if (!(error instanceof CodedError)) throw error
      return false
    }
  }
}

/** Whether what an instruction refers to is code. */
export const isCode = (name: string): boolean => /CONT|CALL|JMP|IF/.test(name)

const nameOf = (cell: Cell): string => `cell ${toHex(cell.hash()).slice(0, 8)}`

const toSigned = (key: Uint8Array, bits: number): number => {
  let value = 0
  for (let at = 0; at < bits; at++) value = 2 * value + ((key[at >> 3]! >> (7 - (at & 7))) & 1)
  return value >= 2 ** (bits - 1) ? value - 2 ** bits : value
}

/** Lists code. Each cell is shown once, and folded wherever it occurs again. */
export const disassemble = (code: Cell): Listing => {
  const lister = new Lister()
  const lines = code.isExotic ? [nameOf(code)] : lister.list(Slice.of(code), 0)
  return { lines, methods: lister.methods }
}
