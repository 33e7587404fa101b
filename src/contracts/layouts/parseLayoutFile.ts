import { builtInLayouts } from './builtInLayouts.ts'
import { LayoutCompiler } from './compileLayouts.ts'
import type { Definition } from './language/Definition.ts'
import { LayoutError } from './language/LayoutError.ts'
import { collectLayouts, type LayoutSet, overlayLayouts } from './language/LayoutSet.ts'
import { parseDefinition } from './language/parseDefinition.ts'

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
  const { types, messages } = parseMembers(text)
  if (types.length + messages.length > MAX_ENTRIES) {
    throw new LayoutError('layout file', `at most ${MAX_ENTRIES} definitions are read.`)
  }
  const findType = placeFinder(text, 'types')
  const findMessage = placeFinder(text, 'messages')
  const definitions = [
    ...types.map((entry, at) => parseType(entry, findType(entry, at))),
    ...messages.map((entry, at) => parseMessage(entry, findMessage(entry, at))),
  ]
  const layouts = collectLayouts(definitions)
  checkAll(layouts)
  return layouts
}

const parseMembers = (text: string): { types: readonly string[]; messages: readonly string[] } => {
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new LayoutError('layout file', 'an object with the members "types" and "messages" was expected.')
  }
  for (const member of Object.keys(value)) {
    if (member !== 'types' && member !== 'messages') {
      throw new LayoutError(
        'layout file',
        `the member ${JSON.stringify(member)} is not known; "types" and "messages" are.`,
      )
    }
  }
  const { types = [], messages = [] } = value as Record<string, unknown>
  return { types: expectTexts(types, 'types'), messages: expectTexts(messages, 'messages') }
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    const position = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1]
    const place = position === undefined ? 'layout file' : `line ${lineAt(text, Number(position))}`
    throw new LayoutError(place, 'this is not JSON.', { cause: error })
  }
}

const expectTexts = (value: unknown, member: string): readonly string[] => {
  if (!Array.isArray(value)) throw new LayoutError(member, 'a list of texts was expected.')
  value.forEach((entry, at) => {
    if (typeof entry !== 'string') throw new LayoutError(`${member}[${at}]`, 'a text was expected.')
  })
  return value as string[]
}

const parseType = (text: string, place: string): Definition => {
  const definition = parseDefinition(text.trim(), place)
  if (definition.result === undefined) throw new LayoutError(place, 'a type ends in "= " and its name.')
  return definition
}

const parseMessage = (text: string, place: string): Definition => {
  const definition = parseDefinition(text.trim(), place)
  if (definition.result !== undefined) throw new LayoutError(place, 'a message has no "=": it is not part of a type.')
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

/** JSON gives no places, so each entry is looked for behind the one before, and lines are counted on the way. */
const placeFinder = (text: string, member: string): ((entry: string, at: number) => string) => {
  let from = Math.max(0, text.indexOf(`"${member}"`))
  let line = lineAt(text, from)
  return (entry, at) => {
    const found = text.indexOf(JSON.stringify(entry), from)
    if (found < 0) return `${member}[${at}]`
    line += text.slice(from, found).split('\n').length - 1
    from = found
    return `line ${line}, ${member}[${at}]`
  }
}

const lineAt = (text: string, position: number): number => text.slice(0, position).split('\n').length
