import { type Address, findAddressInBoc } from './Address.ts'

/** A value on the stack of a get-method. */
type Value =
  | { readonly type: 'num'; readonly value: bigint }
  | { readonly type: 'cell' | 'slice'; readonly value: string }
  | { readonly type: 'tuple' | 'list'; readonly value: readonly unknown[] }

/** A value was read as something that it is not. */
export class StackError extends TypeError {
  constructor(expected: string, got: string, position: number) {
    super(`Expected ${expected} at position ${position} of the stack, got ${got}.`)
    this.name = 'StackError'
  }
}

/** Reads the result of a get-method, value by value, as v2 and v3 return it. */
export class StackReader {
  readonly #entries: readonly unknown[]
  #position = 0

  constructor(stack: readonly unknown[]) {
    this.#entries = stack
  }

  get remaining(): number {
    return this.#entries.length - this.#position
  }

  skip(count = 1): this {
    this.#position += count
    return this
  }

  readBigInt(): bigint {
    const value = this.#next('a number')
    return value.type === 'num' ? value.value : this.#fail('a number', value)
  }

  /** Throws if the number is too large. */
  readNumber(): number {
    const number = Number(this.readBigInt())
    if (!Number.isSafeInteger(number)) throw new StackError('a safe integer', String(number), this.#position - 1)
    return number
  }

  readBoolean(): boolean {
    return this.readBigInt() !== 0n
  }

  /** Base64 of a bag of cells. */
  readCell(): string {
    const value = this.#next('a cell')
    return value.type === 'cell' || value.type === 'slice' ? value.value : this.#fail('a cell', value)
  }

  /** `null` where there is no cell. */
  readCellOpt(): string | null {
    return this.#skipNull() ? null : this.readCell()
  }

  /** Throws if there is no account: see {@link readAddressOpt}. */
  readAddress(): Address {
    return this.readAddressOpt() ?? this.#fail('an address', { type: 'cell', value: '' })
  }

  /** `null` for addr_none, and for null. */
  readAddressOpt(): Address | null {
    if (this.#skipNull()) return null
    const address = findAddressInBoc(this.readCell())
    return address === undefined ? this.#fail('an address', { type: 'cell', value: '' }) : address
  }

  readTuple(): StackReader {
    const value = this.#next('a tuple')
    return value.type === 'tuple' || value.type === 'list' ? new StackReader(value.value) : this.#fail('a tuple', value)
  }

  /** A reader for each element. */
  readList(): StackReader[] {
    const value = this.#next('a list')
    if (value.type !== 'tuple' && value.type !== 'list') return this.#fail('a list', value)
    return value.value.map((each) => new StackReader([each]))
  }

  #next(expected: string): Value {
    const entry = this.#entries[this.#position]
    if (entry === undefined) throw new StackError(expected, 'the end', this.#position)
    const value = toValue(entry)
    if (value === undefined) throw new StackError(expected, JSON.stringify(entry).slice(0, 100), this.#position)
    this.#position++
    return value
  }

  /** An empty list stands for null. */
  #skipNull(): boolean {
    const value = toValue(this.#entries[this.#position])
    const isNull = value !== undefined && value.type !== 'num' && value.value.length === 0
    if (isNull) this.#position++
    return isNull
  }

  #fail(expected: string, { type }: Value): never {
    throw new StackError(expected, type === 'cell' ? 'a cell with something else' : `a ${type}`, this.#position - 1)
  }
}

type Members = { readonly [name: string]: unknown }

/** An entry in any of its forms: `{type, value}` of v3, `[type, value]` of v2, or a typed object of v2. */
const toValue = (entry: unknown): Value | undefined => {
  if (Array.isArray(entry)) return fromParts(entry[0], entry[1])
  if (typeof entry !== 'object' || entry === null) return undefined
  const { type, value, number, cell, slice, tuple, list } = entry as Members
  if (type !== undefined) return fromParts(type, value)
  if (number !== undefined) return fromParts('num', (number as Members)['number'])
  if (cell !== undefined) return fromParts('cell', cell)
  if (slice !== undefined) return fromParts('slice', slice)
  return tuple === undefined ? fromParts('list', list) : fromParts('tuple', tuple)
}

const fromParts = (type: unknown, given: unknown): Value | undefined => {
  const value = typeof given === 'object' && given !== null && !Array.isArray(given) ? openObject(given) : given
  if (type === 'num' && typeof value === 'string') return { type, value: parseNumber(value) }
  if ((type === 'cell' || type === 'slice') && typeof value === 'string') return { type, value }
  return (type === 'tuple' || type === 'list') && Array.isArray(value) ? { type, value } : undefined
}

const openObject = (value: object): unknown => (value as Members)['bytes'] ?? (value as Members)['elements']

/** Decimal, or hexadecimal: -0x1f. */
const parseNumber = (text: string): bigint => (text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text))

/** A reader of the stack of a get-method. */
export const readStack = ({ stack }: { readonly stack: readonly unknown[] }): StackReader => new StackReader(stack)
