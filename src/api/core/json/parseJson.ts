import { InvalidJsonError } from '../errors.ts'

/** A parsed JSON value: an integer beyond 2^53 is a bigint. */
export type JsonValue = null | boolean | number | bigint | string | readonly JsonValue[] | JsonObject

export type JsonObject = { readonly [name: string]: JsonValue }

export const isJsonObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An own member of an object, never an inherited one. */
export const findMember = (object: JsonObject, name: string): JsonValue | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined

/** Limits of a JSON text. Its length is limited by the caller. */
export type JsonLimits = {
  /** Nesting depth of arrays and objects. */
  readonly maxDepth: number
  /** Number of values of all kinds. */
  readonly maxValues: number
  /** Digits of one integer. */
  readonly maxDigits: number
}

/**
 * Parses JSON without losing digits: an integer that does not fit a number becomes a bigint. Of duplicate names the last wins. The
 * name `__proto__` is refused, so that copying members is safe.
 */
export const parseJson = (text: string, limits: JsonLimits): JsonValue => new Parser(text, limits).parse()

const numberPattern = /-?(?:0|[1-9][0-9]*)(?<fraction>\.[0-9]+)?(?<exponent>[eE][+-]?[0-9]+)?/y
const quote = 0x22
const backslash = 0x5c

class Parser {
  private readonly text: string
  private readonly limits: JsonLimits
  private at = 0
  private values = 0

  constructor(text: string, limits: JsonLimits) {
    this.text = text
    this.limits = limits
  }

  parse(): JsonValue {
    const value = this.readValue(0)
    this.skipBlanks()
    if (this.at < this.text.length) this.fail('the end of the text')
    return value
  }

  private readValue(depth: number): JsonValue {
    if (++this.values > this.limits.maxValues) {
      throw new InvalidJsonError(`The JSON contains more than ${this.limits.maxValues} values.`)
    }
    this.skipBlanks()
    switch (this.text[this.at]) {
      case '{':
        return this.readObject(depth + 1)
      case '[':
        return this.readArray(depth + 1)
      case '"':
        return this.readString()
      case 't':
        return this.readWord('true', true)
      case 'f':
        return this.readWord('false', false)
      case 'n':
        return this.readWord('null', null)
      default:
        return this.readNumber()
    }
  }

  private readObject(depth: number): JsonObject {
    const object: Record<string, JsonValue> = {}
    this.enter(depth)
    if (this.take('}')) return object
    do {
      this.skipBlanks()
      if (this.text[this.at] !== '"') this.fail('a name in double quotes')
      const name = this.readString()
      if (name === '__proto__') throw new InvalidJsonError('The member name __proto__ is not allowed.')
      if (!this.take(':')) this.fail('a colon')
      object[name] = this.readValue(depth)
    } while (this.take(','))
    if (!this.take('}')) this.fail('a comma or the end of the object')
    return object
  }

  private readArray(depth: number): JsonValue[] {
    const items: JsonValue[] = []
    this.enter(depth)
    if (this.take(']')) return items
    do items.push(this.readValue(depth))
    while (this.take(','))
    if (!this.take(']')) this.fail('a comma or the end of the list')
    return items
  }

  private enter(depth: number): void {
    if (depth > this.limits.maxDepth) {
      throw new InvalidJsonError(`The JSON is nested deeper than ${this.limits.maxDepth} levels.`)
    }
    this.at++
  }

  private readString(): string {
    const { text } = this
    const start = this.at++
    let escaped = false
    for (; this.at < text.length; this.at++) {
      const code = text.charCodeAt(this.at)
      if (code === quote) {
        this.at++
        return escaped ? this.unescape(start) : text.slice(start + 1, this.at - 1)
      }
      if (code < 0x20) this.fail('no control character within a string')
      if (code === backslash) {
        escaped = true
        this.at++
      }
    }
    return this.fail('the end of a string')
  }

  private unescape(start: number): string {
    try {
      return JSON.parse(this.text.slice(start, this.at)) as string
    } catch {
      this.at = start
      return this.fail('a string with valid escapes')
    }
  }

  private readNumber(): number | bigint {
    numberPattern.lastIndex = this.at
    const match = numberPattern.exec(this.text)
    if (match === null) return this.fail('a value')
    const [digits] = match
    const value = Number(digits)
    const isInteger = match.groups?.['fraction'] === undefined && match.groups?.['exponent'] === undefined
    if (isInteger ? digits.length > this.limits.maxDigits : !Number.isFinite(value)) {
      throw new InvalidJsonError(`The number at character ${this.at} of the JSON is too large.`)
    }
    this.at += digits.length
    // Adding 0 turns -0 into 0.
    return isInteger && !Number.isSafeInteger(value) ? BigInt(digits) : value + 0
  }

  private readWord<T extends JsonValue>(word: string, value: T): T {
    if (!this.text.startsWith(word, this.at)) this.fail('a value')
    this.at += word.length
    return value
  }

  private take(character: string): boolean {
    this.skipBlanks()
    if (this.text[this.at] !== character) return false
    this.at++
    return true
  }

  private skipBlanks(): void {
    for (; ; this.at++) {
      const code = this.text.charCodeAt(this.at)
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return
    }
  }

  private fail(expected: string): never {
    const found = this.at < this.text.length ? `found ${JSON.stringify(this.text[this.at])}` : 'the text ends'
    throw new InvalidJsonError(`Expected ${expected} at character ${this.at} of the JSON, but ${found}.`)
  }
}
