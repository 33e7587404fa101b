import type { RecordedRegisters, RecordedValue } from '../../chain/recording.ts'
import { type Cell, wholeSlice } from '../../codec/cell/Cell.ts'
import { openCell } from '../../codec/cell/CellReader.ts'
import { sliceToCell } from '../../codec/cell/CellWriter.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import { fromBase64, toBase64 } from '../../primitives/base64.ts'
import { toHex } from '../../primitives/hex.ts'
import { formatValue } from '../result/stackAt.ts'

export type Variable = {
  readonly name: string
  readonly value: string
  readonly type?: string
  /** Asks for what is inside; 0 where there is nothing. */
  readonly variablesReference: number
}

type Inside = () => readonly Variable[] | Promise<readonly Variable[]>
type FindCell = (hash: string) => Promise<string | undefined>

const SHOWN_BITS = 1023

/** Variables that can be opened, until the run goes on. */
export class OpenVariables {
  private readonly insides: Inside[] = []

  /** The number by which the editor asks. */
  add(inside: Inside): number {
    return this.insides.push(inside)
  }

  async open(reference: number): Promise<readonly Variable[]> {
    return (await this.insides[reference - 1]?.()) ?? []
  }

  clear(): void {
    this.insides.length = 0
  }

  stack(values: readonly RecordedValue[], findCell: FindCell): Variable[] {
    return values.toReversed().map((value, k) => this.value(`s${k}`, value, findCell))
  }

  registers({ c7 = {}, c4, c5, ...continuations }: RecordedRegisters, findCell: FindCell): Variable[] {
    const conts = Object.entries(continuations).map(([name, value]) => this.value(name, value, findCell))
    const cells = Object.entries({ c4, c5 }).flatMap(([name, h]) =>
      h === undefined ? [] : [this.value(name, { t: 'cell', h }, findCell)],
    )
    const paths = Object.entries(c7)
    if (paths.length === 0) return [...conts, ...cells]
    const inside = () => paths.map(([path, value]) => this.value(path, value, findCell))
    return [...conts, ...cells, { name: 'c7', value: `${paths.length} values`, variablesReference: this.add(inside) }]
  }

  value(name: string, value: RecordedValue, findCell: FindCell): Variable {
    const shown = { name, value: formatValue(value), type: value.t }
    switch (value.t) {
      case 'tuple':
        return {
          ...shown,
          variablesReference: this.add(() => value.v.map((item, k) => this.value(String(k), item, findCell))),
        }
      case 'cell':
      case 'builder':
        return { ...shown, variablesReference: this.add(() => this.cell(value.h, findCell)) }
      case 'slice':
        return { ...shown, variablesReference: this.add(() => this.cell(value.h, findCell, value)) }
      default:
        return { ...shown, variablesReference: 0 }
    }
  }

  private async cell(
    hash: string,
    findCell: FindCell,
    slice?: Extract<RecordedValue, { readonly t: 'slice' }>,
  ): Promise<Variable[]> {
    const boc = await findCell(hash)
    const own: Variable = { name: 'hash', value: toHex(fromBase64(hash)), variablesReference: 0 }
    if (boc === undefined) return [own]
    const cell = decodeSingleBoc(fromBase64(boc))
    if (slice === undefined) return [own, ...this.content(cell)]
    const { b, r } = slice
    const part = { ...wholeSlice(cell), bitStart: b[0], bitEnd: b[1], refStart: r[0], refEnd: r[1] }
    return [own, ...this.content(sliceToCell(part))]
  }

  private content(cell: Cell): Variable[] {
    const refs = Array.from({ length: cell.refCount }, (_, k): Variable => {
      const ref = cell.ref(k)
      const inside = () => [{ name: 'hash', value: toHex(ref.hash()), variablesReference: 0 }, ...this.content(ref)]
      return { name: `ref ${k}`, value: `C{${toBase64(ref.hash()).slice(0, 8)}}`, variablesReference: this.add(inside) }
    })
    return [{ name: 'data', value: bitsOf(cell), variablesReference: 0 }, ...refs]
  }
}

/** Hexadecimal digits; a last digit that is not whole ends with an underscore, as assemblers write it. */
const bitsOf = (cell: Cell): string => {
  if (cell.isExotic) return 'exotic'
  const reader = openCell(cell)
  const { bits } = cell
  let text = ''
  for (let at = 0; at < Math.min(bits, SHOWN_BITS); at += 4) {
    const count = Math.min(4, bits - at)
    const digit = reader.readUint(count)
    // The missing bits are a one and zeros.
    text += count === 4 ? digit.toString(16) : `${((digit << (4 - count)) | (1 << (3 - count))).toString(16)}_`
  }
  return `x{${text}} (${bits} bits)`
}
