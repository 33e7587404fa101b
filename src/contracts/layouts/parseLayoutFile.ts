import { builtInLayouts } from './builtInLayouts.ts'
import { LayoutCompiler } from './compileLayouts.ts'
import { collectLayouts, type Definition, LayoutError, type LayoutSet, overlayLayouts } from './definitions.ts'
import { parseDefinition } from './parseDefinition.ts'

/** A definition in a file, and the line its text starts in. */
type LayoutEntry = { readonly text: string; readonly line: number }

const TOKEN = /[ \t\r\n]*(?:("(?:[^"\\\p{Cc}]|\\.)*")|([{}[\],:]))/uy

/** Reads `{"types": [text, …], "messages": [text, …]}`. `JSON.parse` would do, but it tells no lines. */
const readLayoutJson = (text: string) => {
  const tokens = new Tokens(text)
  const members: Record<string, readonly LayoutEntry[]> = {}
  tokens.expect('{')
  for (let more = !tokens.takeIf('}'); more; more = tokens.takeMore('}')) {
    const { text: member, line } = tokens.takeText('the name of a member')
    if (member !== 'types' && member !== 'messages') {
      throw new LayoutError(
        `line ${line}`,
        `the member ${JSON.stringify(member)} is not known; "types" and "messages" are.`,
      )
    }
    if (members[member] !== undefined) throw new LayoutError(`line ${line}`, `the member "${member}" is there twice.`)
    tokens.expect(':')
    members[member] = readTexts(tokens)
  }
  tokens.expectEnd()
  return { types: members['types'] ?? [], messages: members['messages'] ?? [] }
}

const readTexts = (tokens: Tokens): LayoutEntry[] => {
  const entries: LayoutEntry[] = []
  tokens.expect('[')
  for (let more = !tokens.takeIf(']'); more; more = tokens.takeMore(']')) entries.push(tokens.takeText('a text'))
  return entries
}

class Tokens {
  private readonly source: string
  private at = 0
  private line = 1
  private counted = 0

  constructor(source: string) {
    this.source = source
  }

  expect(token: string): void {
    const found = this.peek()
    if (found?.token !== token) this.fail(`"${token}"`)
    this.at = found.end
  }

  takeIf(token: string): boolean {
    const found = this.peek()
    if (found?.token !== token) return false
    this.at = found.end
    return true
  }

  /** After an entry: whether another one follows. */
  takeMore(end: string): boolean {
    if (this.takeIf(',')) return true
    if (!this.takeIf(end)) this.fail(`"," or "${end}"`)
    return false
  }

  takeText(what: string): LayoutEntry {
    const found = this.peek()
    if (found === undefined || !found.token.startsWith('"')) this.fail(what)
    const line = this.lineAt(found.end - found.token.length)
    this.at = found.end
    try {
      return { text: JSON.parse(found.token) as string, line }
    } catch (error) {
      throw new LayoutError(`line ${line}`, 'a text has an escape that JSON does not know.', { cause: error })
    }
  }

  expectEnd(): void {
    if (this.source.slice(this.at).trim() !== '') this.fail('the end of the file')
  }

  private peek(): { readonly token: string; readonly end: number } | undefined {
    TOKEN.lastIndex = this.at
    const match = TOKEN.exec(this.source)
    return match === null ? undefined : { token: match[1] ?? match[2]!, end: TOKEN.lastIndex }
  }

  private fail(expected: string): never {
    const start = this.at + (/^\s*/.exec(this.source.slice(this.at, this.at + 1000))?.[0].length ?? 0)
    const found = this.source.slice(start, start + 20).split('\n')[0]!
    const came = found === '' ? 'the file ends' : `got ${JSON.stringify(found)}`
    throw new LayoutError(`line ${this.lineAt(start)}`, `expected ${expected}, but ${came}.`)
  }

  private lineAt(position: number): number {
    this.line += this.source.slice(this.counted, position).split('\n').length - 1
    this.counted = position
    return this.line
  }
}

const MAX_CHARACTERS = 1024 * 1024
const MAX_ENTRIES = 5000

/**
 * Parses a file of layouts: `{"types": [text, …], "messages": [text, …]}`, both members optional, each text a definition
 * (docs/message-layouts.md). Every mistake is a {@link LayoutError} that names the line, the entry and the field.
 */
export const parseLayoutFile = (text: string): LayoutSet => {
  if (text.length > MAX_CHARACTERS) {
    throw new LayoutError('layout file', `at most ${MAX_CHARACTERS} characters are read, this one has ${text.length}.`)
  }
  const { types, messages } = readLayoutJson(text)
  if (types.length + messages.length > MAX_ENTRIES) {
    throw new LayoutError('layout file', `at most ${MAX_ENTRIES} definitions are read.`)
  }
  const layouts = collectLayouts([...types.map(parseType), ...messages.map(parseMessage)])
  checkAll(layouts)
  return layouts
}

const parseType = ({ text, line }: LayoutEntry, at: number): Definition => {
  const location = `line ${line}, types[${at}]`
  const definition = parseDefinition(text.trim(), location)
  if (definition.result === undefined) throw new LayoutError(location, 'a type ends in "= " and its name.')
  return definition
}

const parseMessage = ({ text, line }: LayoutEntry, at: number): Definition => {
  const location = `line ${line}, messages[${at}]`
  const definition = parseDefinition(text.trim(), location)
  if (definition.result !== undefined)
    throw new LayoutError(location, 'a message has no "=": it is not part of a type.')
  return definition
}

/** Compiles all there is with these layouts: a type that is replaced may be one that built-in layouts use otherwise. */
const checkAll = (layouts: LayoutSet): void => {
  const all = overlayLayouts(layouts, builtInLayouts())
  const compiler = new LayoutCompiler(all)
  for (const candidates of all.messages.values()) {
    for (const definition of candidates) compiler.compileMessage(definition)
  }
  for (const [name, { parameters }] of layouts.types) {
    if (parameters.length === 0) compiler.compileType(name)
  }
}
