import {
  type Condition,
  type Constraint,
  type Definition,
  type Field,
  LayoutError,
  type NumberExpression,
  type Part,
  type ResultType,
  type Tag,
  type TypeExpression,
} from './definitions.ts'

const HEAD = /^([A-Za-z_][\w,]*)?(#[0-9a-fA-F]{1,8}|#_|\$[01]{1,32}|\$_)?(?=\s|$)/
const TOKEN = /\s*(?:([A-Za-z_]\w*)|(\d{1,7})|(#<=|##|#<|<=|>=|[#:^()[\]{}?.=*]))/y
const MAX_LENGTH = 8192
const MAX_NESTING = 24

/** Parses one definition in the notation that docs/message-layouts.md describes. */
export const parseDefinition = (text: string, location: string): Definition =>
  new DefinitionParser(text, location).parse()

class DefinitionParser {
  private readonly text: string
  private readonly location: string
  private tokens: readonly string[] = []
  private at = 0
  private nesting = 0

  constructor(text: string, location: string) {
    this.text = text
    this.location = location
  }

  parse(): Definition {
    if (this.text.length > MAX_LENGTH) this.fail(`a definition has at most ${MAX_LENGTH} characters`)
    const head = HEAD.exec(this.text)
    if (head === null || head[0] === '') this.fail('a definition starts with a name, a tag or both')
    this.tokens = this.tokenize(head[0].length)
    const parts = this.parseParts(undefined)
    const result = this.peek() === '=' ? this.parseResult() : undefined
    if (this.peek() !== undefined) this.fail(`expected nothing after the definition, but got "${this.peek()}"`)
    const name = head[1] === undefined || head[1] === '_' ? '' : head[1]
    return { name, tag: parseTag(head[2]), parts, result, location: this.location }
  }

  private tokenize(from: number): string[] {
    const tokens: string[] = []
    const text = this.text.trimEnd()
    TOKEN.lastIndex = from
    while (TOKEN.lastIndex < text.length) {
      const start = TOKEN.lastIndex
      const match = TOKEN.exec(text)
      if (match === null) this.fail(`"${text.slice(start, start + 20).trim()}" is not understood`)
      tokens.push(match[1] ?? match[2] ?? match[3]!)
    }
    return tokens
  }

  private parseResult(): ResultType {
    this.expect('=')
    const name = this.expectName('the name of a type')
    const parameters: string[] = []
    while (this.peek() !== undefined) parameters.push(this.expectName('a type parameter'))
    return { name, parameters }
  }

  /** Fields up to `end`, or up to `=` and the end of the text where there is none. */
  private parseParts(end: string | undefined): Part[] {
    const parts: Part[] = []
    const known = new Set<string>()
    for (;;) {
      const token = this.peek()
      if (token === end || (end === undefined && token === '=')) break
      if (token === undefined) this.fail(`"${end}" is missing`)
      const part = token === '{' ? this.parseConstraint() : this.parseField()
      if (part.kind === 'field' && part.name !== '') {
        if (known.has(part.name)) this.fail(`the field "${part.name}" is there twice`)
        known.add(part.name)
      }
      parts.push(part)
    }
    return parts
  }

  private parseConstraint(): Constraint {
    this.expect('{')
    const field = this.expectName('the name of a field')
    const operator = this.take()
    if (operator !== '<=' && operator !== '>=' && operator !== '=') {
      this.fail(`expected <=, >= or = after "${field}", but got "${operator}"`)
    }
    const value = this.expectNumber()
    this.expect('}')
    return { kind: 'constraint', field, operator, value }
  }

  private parseField(): Field {
    if (this.peek() === '^') {
      // `^[ … ]` without a name, as TL-B allows it.
      return { kind: 'field', name: '', type: this.parseTerm(), condition: undefined }
    }
    const name = this.expectName('the name of a field')
    if (name === '__proto__') this.fail('a field cannot be called __proto__')
    this.expect(':')
    const condition = this.parseCondition()
    return { kind: 'field', name: name === '_' ? '' : name, type: this.parseTerm(), condition }
  }

  private parseCondition(): Condition | undefined {
    const field = this.peek()
    if (field === undefined) return undefined
    if (this.peek(1) === '?') {
      this.at += 2
      return { field, bit: undefined }
    }
    if (this.peek(1) !== '.' || this.peek(3) !== '?') return undefined
    this.at += 2
    const bit = this.expectNumber()
    if (bit > 31) this.fail(`bit ${bit} of "${field}" was asked, the last is 31`)
    this.expect('?')
    return { field, bit }
  }

  private parseTerm(): TypeExpression {
    if (++this.nesting > MAX_NESTING) this.fail(`types are nested at most ${MAX_NESTING} deep`)
    const term = this.parseOpenTerm()
    this.nesting--
    return term
  }

  private parseOpenTerm(): TypeExpression {
    const token = this.take()
    if (token === '^') return { kind: 'ref', to: this.parseTerm() }
    if (token === '#') return named('uint32')
    if (token === '[') {
      const parts = this.parseParts(']')
      this.expect(']')
      return { kind: 'record', parts }
    }
    if (token === '(') {
      const term = this.parseApplication()
      this.expect(')')
      return term
    }
    if (token !== undefined && /^\d/.test(token)) return { kind: 'number', value: constant(Number(token)) }
    if (token !== undefined && /^[A-Za-z_]/.test(token)) return named(token)
    return this.fail(`expected a type, but ${token === undefined ? 'the text ends' : `got "${token}"`}`)
  }

  private parseApplication(): TypeExpression {
    const token = this.peek()
    if (token === '##' || token === '#<=' || token === '#<') {
      this.at++
      return { kind: 'named', name: token, arguments: [this.parseTerm()] }
    }
    if (token === '^' || token === '(' || token === '[') return this.parseTerm()
    const name = this.expectName('the name of a type')
    if (this.peek() === '*') {
      this.at++
      return { kind: 'number', value: { field: name, factor: this.expectNumber() } }
    }
    const parameters: TypeExpression[] = []
    while (this.peek() !== ')') parameters.push(this.parseTerm())
    return { kind: 'named', name, arguments: parameters }
  }

  private peek(ahead = 0): string | undefined {
    return this.tokens[this.at + ahead]
  }

  private take(): string | undefined {
    return this.tokens[this.at++]
  }

  private expect(token: string): void {
    const found = this.take()
    if (found !== token)
      this.fail(`expected "${token}", but ${found === undefined ? 'the text ends' : `got "${found}"`}`)
  }

  private expectName(what: string): string {
    const found = this.take()
    if (found !== undefined && /^[A-Za-z_]/.test(found)) return found
    return this.fail(`expected ${what}, but ${found === undefined ? 'the text ends' : `got "${found}"`}`)
  }

  private expectNumber(): number {
    const found = this.take()
    if (found !== undefined && /^\d/.test(found)) return Number(found)
    return this.fail(`expected a number, but ${found === undefined ? 'the text ends' : `got "${found}"`}`)
  }

  private fail(problem: string): never {
    throw new LayoutError(this.location, `${problem}.`)
  }
}

const named = (name: string): TypeExpression => ({ kind: 'named', name, arguments: [] })

const constant = (value: number): NumberExpression => ({ field: undefined, factor: value })

const parseTag = (text: string | undefined): Tag | undefined => {
  if (text === undefined || text.endsWith('_')) return undefined
  const digits = text.slice(1)
  return text.startsWith('#')
    ? { value: Number.parseInt(digits, 16), bits: 4 * digits.length }
    : { value: Number.parseInt(digits, 2), bits: digits.length }
}

/**
 * Parses a table: a definition starts at the start of a line and goes on over the indented lines below it. What follows
 * `//` is a remark.
 */
export const parseTable = (name: string, text: string): Definition[] => {
  const definitions: Definition[] = []
  let open: { text: string; line: number } | undefined
  const finish = (): void => {
    if (open !== undefined) definitions.push(parseDefinition(open.text, `${name}, line ${open.line}`))
    open = undefined
  }
  text.split('\n').forEach((raw, index) => {
    const line = raw.replace(/\/\/.*$/, '').trimEnd()
    if (line === '') return
    if (open !== undefined && /^\s/.test(line)) open.text += ` ${line.trim()}`
    else {
      finish()
      open = { text: line.trim(), line: index + 1 }
    }
  })
  finish()
  return definitions
}
