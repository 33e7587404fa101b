import type { CodeListing, ListedInstruction } from '../chain/recording.ts'
import type { Cell } from '../codec/cell/Cell.ts'
import { toBase64 } from '../primitives/base64.ts'
import { isCode, MethodDictionaries } from './disassemble.ts'
import { decoderFor, NEWEST_VERSION } from './machine/instructions/table.ts'
import { describeInstruction, wordAt } from './machine/instructionText.ts'
import { Slice } from './machine/values.ts'
import { conditionOf } from './record/conditions.ts'

const MAX_INSTRUCTIONS = 50_000
const MAX_NESTING = 64

/** Lists the instructions of a code by cell and offset, so that they can be compared with those that ran. */
export const listCode = (code: Cell): CodeListing => {
  const walk = new CodeWalk()
  if (!code.isExotic) walk.visit(Slice.of(code), 0)
  return walk.toListing(code)
}

class CodeWalk {
  private readonly decoder = decoderFor(NEWEST_VERSION)
  private readonly dictionaries = new MethodDictionaries()
  private readonly cells = new Map<string, Map<number, ListedInstruction>>()
  private readonly methods: { id: number; cell: string; offset: number }[] = []
  private count = 0
  private isTruncated = false

  toListing(code: Cell): CodeListing {
    const cells = [...this.cells].map(([hash, found]) => ({
      hash,
      instructions: [...found.values()].sort((a, b) => a.offset - b.offset),
    }))
    return {
      code_hash: toBase64(code.hash()),
      cells,
      methods: this.methods.sort((a, b) => a.id - b.id),
      truncated: this.isTruncated,
    }
  }

  visit(start: Slice, nesting: number): void {
    const hash = toBase64(start.cell.hash())
    let found = this.cells.get(hash)
    if (found === undefined) {
      found = new Map()
      this.cells.set(hash, found)
    }
    for (let code = start; ; ) {
      if (code.bits === 0) {
        if (code.refs > 0) this.visitCell(code.ref(0), nesting)
        return
      }
      if (found.has(code.bitStart)) return
      if (this.isFull() || nesting > MAX_NESTING) {
        this.isTruncated = true
        return
      }
      const word = wordAt(code)
      const instruction = this.decoder.find(word)
      if (instruction === undefined || instruction.bits > code.bits) return
      const { text, bits, refs } = describeInstruction(instruction, word, code)
      if (bits > code.bits || refs > code.refs) return
      const branches = conditionOf(instruction, word) !== undefined
      found.set(code.bitStart, { offset: code.bitStart, op: text, nesting, branches })
      const { operands, name } = instruction
      if (operands.startsWith('cont')) {
        this.visit(code.skip(instruction.bits).first(bits - instruction.bits, refs), nesting + 1)
      } else if (name === 'DICTPUSHCONST') {
        this.visitMethods(code.ref(0), (word >> (24 - instruction.bits)) & 0x3ff, nesting)
      } else if (operands.includes('ref') && isCode(name)) {
        for (let k = 0; k < refs; k++) this.visitCell(code.ref(k), nesting + 1)
      }
      code = code.skip(bits, refs)
    }
  }

  /** Counts an instruction, or a method: equal methods are one cell, so that a small dictionary may have very many. */
  private isFull(): boolean {
    if (++this.count <= MAX_INSTRUCTIONS) return false
    this.isTruncated = true
    return true
  }

  private visitCell(cell: Cell, nesting: number): void {
    if (!cell.isExotic && !this.cells.has(toBase64(cell.hash()))) this.visit(Slice.of(cell), nesting)
  }

  private visitMethods(root: Cell, keyBits: number, nesting: number): void {
    this.dictionaries.walk(root, keyBits, (id, body) => {
      if (this.isFull()) return false
      this.methods.push({ id, cell: toBase64(body.cell.hash()), offset: body.bitStart })
      this.visit(body, nesting + 1)
      return true
    })
  }
}
