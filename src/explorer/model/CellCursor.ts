import type { CellNode } from './cellTree.ts'

/** Reads the bits and references of a cell from first to last. A read behind the end throws a `RangeError`. */
export class CellCursor {
  readonly #bits: string
  readonly #refs: readonly CellNode[]
  #at = 0
  #ref = 0

  constructor({ bits, hex, refs }: CellNode) {
    const digits = [...hex].map((digit) => Number.parseInt(digit, 16).toString(2).padStart(4, '0'))
    this.#bits = digits.join('').slice(0, bits)
    this.#refs = refs
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bits.length && this.#ref === this.#refs.length
  }

  get bitsLeft(): number {
    return this.#bits.length - this.#at
  }

  get refsLeft(): number {
    return this.#refs.length - this.#ref
  }

  #take(count: number): string {
    if (count > this.bitsLeft) throw new RangeError('The cell ends early.')
    const from = this.#at
    this.#at += count
    return this.#bits.slice(from, this.#at)
  }

  uint(bits: number): bigint {
    return bits === 0 ? 0n : BigInt(`0b${this.#take(bits)}`)
  }

  bit(): boolean {
    return this.#take(1) === '1'
  }

  hex(bits: number): string {
    return this.uint(bits)
      .toString(16)
      .padStart(Math.ceil(bits / 4), '0')
  }

  coins(): bigint {
    return this.uint(8 * Number(this.uint(4)))
  }

  /** Raw; `null` for none. Other kinds of addresses are refused. */
  address(): string | null {
    const kind = this.#take(2)
    if (kind === '00') return null
    if (kind !== '10' || this.bit()) throw new RangeError('The address has an unknown form.')
    const workchain = Number(BigInt.asIntN(8, this.uint(8)))
    return `${workchain}:${this.hex(256).toUpperCase()}`
  }

  ref(): CellNode {
    const found = this.#refs[this.#ref]
    if (found === undefined) throw new RangeError('The cell has no more references.')
    this.#ref++
    return found
  }

  maybeRef(): CellNode | null {
    return this.bit() ? this.ref() : null
  }
}

/** The address that a cell consists of, `null` for none; `undefined` where it holds anything else. */
export const findAddress = (cell: CellNode): string | null | undefined => {
  if ((cell.bits !== 267 && cell.bits !== 2) || cell.refs.length > 0) return undefined
  try {
    const cursor = new CellCursor(cell)
    const address = cursor.address()
    return cursor.isAtEnd ? address : undefined
  } catch {
    return undefined
  }
}

const MAX_TEXT_CELLS = 100

/** Bytes of a cell, and of those that its first references lead to, as text; `undefined` where they are none. */
export const findText = (cell: CellNode): string | undefined => {
  let hex = ''
  let next: CellNode | undefined = cell
  for (let count = 0; next !== undefined; count++) {
    if (next.bits % 8 !== 0 || next.refs.length > 1 || count >= MAX_TEXT_CELLS) return undefined
    hex += next.hex
    next = next.refs[0]
  }
  const bytes = Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are no text
    return text === '' || /[\x00-\x08\x0e-\x1f\x7f]/.test(text) ? undefined : text
  } catch {
    return undefined
  }
}
