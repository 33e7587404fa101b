import type { Cell } from '../codec/cell/Cell.ts'
import { toHex } from '../primitives/hex.ts'
import { isCode, MethodDictionaries } from './disassemble.ts'
import { decoderFor, NEWEST_VERSION } from './machine/instructions/table.ts'
import { describeInstruction, wordAt } from './machine/instructionText.ts'
import { Slice } from './machine/values.ts'

/** How code is written: `fift` has operands before the instruction, `tasm` behind it and continuations in braces. */
export type CodeStyle = 'fift' | 'tasm'

type Part =
  | {
      readonly kind: 'instruction'
      readonly name: string
      readonly operands: readonly string[]
      readonly inner: Part[][]
    }
  | { readonly kind: 'methods'; readonly bits: number; readonly methods: readonly { id: number; body: Part[] }[] }
  /** The end of a cell jumps to what follows. */
  | { readonly kind: 'next'; readonly body: Part[] }
  | { readonly kind: 'note'; readonly text: string }

const MAX_INSTRUCTIONS = 50_000
const MAX_DEPTH = 64
/** Levels that all lines together are indented by: cells may be nested a thousand deep, and equal ones are one. */
const MAX_INDENTS = 1 << 18
const INDENT = '  '

/** Code as text for people to read: names of instructions are those of a node's log, which assemblers do not all know. */
export const writeCodeText = (code: Cell, style: CodeStyle, nameOf: (method: number) => string): string => {
  const parts = code.isExotic ? [folded(code)] : new CodeReader().read(Slice.of(code), { depth: 0, indent: 0 })
  const writer = style === 'fift' ? new FiftWriter(nameOf) : new TasmWriter(nameOf)
  return `${writer.write(parts).join('\n')}\n`
}

const folded = (cell: Cell): Part => ({
  kind: 'note',
  text: `${cell.isExotic ? 'exotic cell' : 'cell'} ${toHex(cell.hash())}`,
})

/** How deep code is in other code, and how far its lines are indented. */
type Level = { readonly depth: number; readonly indent: number }

const within = ({ depth, indent }: Level): Level => ({ depth: depth + 1, indent: indent + 1 })

class CodeReader {
  private readonly decoder = decoderFor(NEWEST_VERSION)
  private readonly dictionaries = new MethodDictionaries()
  private count = 0
  private indents = 0

  read(start: Slice, level: Level): Part[] {
    const parts: Part[] = []
    for (let code = start; ; ) {
      this.count++
      this.indents += level.indent
      const isFull = this.count > MAX_INSTRUCTIONS || this.indents > MAX_INDENTS
      if (isFull || level.depth > MAX_DEPTH) return [...parts, { kind: 'note', text: '…' }]
      if (code.bits === 0) return code.refs === 0 ? parts : [...parts, this.next(code.ref(0), level)]
      const word = wordAt(code)
      const instruction = this.decoder.find(word)
      const described = instruction && describeInstruction(instruction, word, code)
      if (described === undefined || described.bits > code.bits || described.refs > code.refs)
        return [...parts, { kind: 'note', text: `${code.bits} bits that are not code` }]
      const { bits, refs } = described
      const [name = '', ...rest] = described.text.split(' ')
      parts.push(
        (instruction!.name === 'DICTPUSHCONST' &&
          this.methods(code.ref(0), (word >> (24 - instruction!.bits)) & 0x3ff, level)) || {
          kind: 'instruction',
          name,
          ...this.operands(instruction!, rest, code, described, level),
        },
      )
      code = code.skip(bits, refs)
    }
  }

  /** What is code among the operands is read; hashes of it are left out then. */
  private operands(
    { name, operands, bits: own }: { readonly name: string; readonly operands: string; readonly bits: number },
    texts: readonly string[],
    code: Slice,
    { bits, refs }: { readonly bits: number; readonly refs: number },
    level: Level,
  ): { readonly operands: readonly string[]; readonly inner: Part[][] } {
    if (operands.startsWith('cont')) {
      const { arena, index, bitStart, refStart } = code
      const body = new Slice(arena, index, bitStart + own, bitStart + bits, refStart, refStart + refs)
      return { operands: [], inner: [this.read(body, within(level))] }
    }
    const plain = texts.flatMap((text) => (text.startsWith('(') ? [] : text.split(',')))
    if (!operands.includes('ref')) return { operands: plain, inner: [] }
    if (!isCode(name)) return { operands: [...plain, ...texts.filter((text) => text.startsWith('('))], inner: [] }
    const inner = Array.from({ length: refs }, (_, k) => this.cell(code.ref(k), within(level)))
    return { operands: plain, inner }
  }

  private cell(cell: Cell, level: Level): Part[] {
    return cell.isExotic ? [folded(cell)] : this.read(Slice.of(cell), level)
  }

  private next(cell: Cell, { depth, indent }: Level): Part {
    return { kind: 'next', body: this.cell(cell, { depth, indent: indent + 1 }) }
  }

  private methods(root: Cell, bits: number, level: Level): Part | undefined {
    const methods: { id: number; body: Part[] }[] = []
    const isOfMethods = this.dictionaries.walk(root, bits, (id, body) => {
      methods.push({ id, body: this.read(body, within(level)) })
      return this.count <= MAX_INSTRUCTIONS
    })
    return isOfMethods ? { kind: 'methods', bits, methods: methods.sort((a, b) => a.id - b.id) } : undefined
  }
}

const indent = (lines: readonly string[]): string[] => lines.map((line) => INDENT + line)

class TasmWriter {
  private readonly nameOf: (method: number) => string

  constructor(nameOf: (method: number) => string) {
    this.nameOf = nameOf
  }

  write(parts: readonly Part[]): string[] {
    return parts.flatMap((part) => this.part(part))
  }

  private part(part: Part): string[] {
    switch (part.kind) {
      case 'note':
        return [`// ${part.text}`]
      case 'next':
        return ['ref {', ...indent(this.write(part.body)), '}']
      case 'instruction': {
        const head = [part.name, ...part.operands].join(' ')
        if (part.inner.length === 0) return [head]
        const [first, ...others] = part.inner
        return [
          `${head} {`,
          ...indent(this.write(first!)),
          ...others.flatMap((body) => ['} {', ...indent(this.write(body))]),
          '}',
        ]
      }
      case 'methods':
        return [
          `DICTPUSHCONST ${part.bits} [`,
          ...part.methods.flatMap(({ id, body }) =>
            indent([`${id} => { // ${this.nameOf(id)}`, ...indent(this.write(body)), '}']),
          ),
          ']',
        ]
    }
  }
}

class FiftWriter {
  private readonly nameOf: (method: number) => string

  constructor(nameOf: (method: number) => string) {
    this.nameOf = nameOf
  }

  /** A program of methods is written as compilers do; what chooses among them is part of that. */
  write(parts: readonly Part[]): string[] {
    const program = parts.find((part) => part.kind === 'methods')
    if (program === undefined) return ['<{', ...indent(this.body(parts)), '}>c']
    const methods = program.methods.map(({ id, body }) => ({ id, name: this.nameOf(id), body }))
    return [
      'PROGRAM{',
      ...indent([
        ...methods.map(({ id, name }) => `${id} DECLMETHOD ${name}`),
        ...methods.flatMap(({ name, body }) => [`${name} PROC:<{`, ...indent(this.body(body)), '}>']),
      ]),
      '}END>c',
    ]
  }

  private body(parts: readonly Part[]): string[] {
    return parts.flatMap((part) => this.part(part))
  }

  private part(part: Part): string[] {
    switch (part.kind) {
      case 'note':
        return [`// ${part.text}`]
      case 'next':
        return ['<{', ...indent(this.body(part.body)), '}> JMPREF']
      case 'methods':
        return [`// dictionary of ${part.methods.length} methods`]
      case 'instruction': {
        const operands = part.operands.map((text) => `${text} `).join('')
        if (part.inner.length === 0) return [`${operands}${part.name}`]
        const bodies = part.inner.flatMap((inner, k) => [k === 0 ? '<{' : '}> <{', ...indent(this.body(inner))])
        return [...bodies, `}> ${operands}${part.name}`]
      }
    }
  }
}
