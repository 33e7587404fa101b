import type { CodeListing, RecordedStep } from '../../chain/recording.ts'
import { fromBase64 } from '../../primitives/base64.ts'
import { toHex } from '../../primitives/hex.ts'
import { methodName } from '../methodNames.ts'
import type { MethodNames } from '../profile.ts'

type Line = { readonly text: string; readonly cell?: string; readonly offset?: number }

/** The disassembly of a run as a document with an instruction per line. Lines count from 1. */
export class CodeDocument {
  private readonly lines: Line[] = []
  private readonly places = new Map<string, number>()
  private readonly starts = new Map<string, string>()

  constructor({ cells, methods }: Pick<CodeListing, 'cells' | 'methods'>, names?: MethodNames) {
    for (const { id, cell, offset } of methods) this.starts.set(keyOf(cell, offset), methodName(id, names))
    for (const { hash, instructions } of cells) {
      this.addCell(hash)
      for (const { offset, op, nesting } of instructions) this.addInstruction(hash, offset, op, nesting)
    }
  }

  get text(): string {
    return this.lines.map(({ text }) => text).join('\n')
  }

  get lineCount(): number {
    return this.lines.length
  }

  /** The name of the method that begins there. */
  findMethod({ cell, offset }: Pick<RecordedStep, 'cell' | 'offset'>): string | undefined {
    return this.starts.get(keyOf(cell, offset))
  }

  /** The line of a step. Code that the listing lacks, such as that of libraries, is added as it is met. */
  lineOf({ cell, offset, op }: Pick<RecordedStep, 'cell' | 'offset' | 'op'>): number {
    const known = this.places.get(keyOf(cell, offset))
    if (known !== undefined) return known
    if (this.lines.at(-1)?.cell !== cell) this.addCell(cell)
    return this.addInstruction(cell, offset, op, 0)
  }

  /** The first line from this one on that has an instruction. */
  findInstruction(line: number): number | undefined {
    for (let at = Math.max(1, line); at <= this.lines.length; at++) {
      if (this.lines[at - 1]!.cell !== undefined && this.lines[at - 1]!.offset !== undefined) return at
    }
    return undefined
  }

  /** Instructions from a line on, `undefined` where there is none. */
  at(line: number): Line | undefined {
    return this.lines[line - 1]
  }

  private addCell(hash: string): void {
    this.lines.push({ text: `// cell ${toHex(fromBase64(hash))}`, cell: hash })
  }

  private addInstruction(cell: string, offset: number, op: string, nesting: number): number {
    const name = this.starts.get(keyOf(cell, offset))
    if (name !== undefined) this.lines.push({ text: `// ${name}` })
    this.lines.push({ text: `${'  '.repeat(nesting)}${op}`, cell, offset })
    this.places.set(keyOf(cell, offset), this.lines.length)
    return this.lines.length
  }
}

const keyOf = (cell: string, offset: number): string => `${cell}:${offset}`
