import { builtInLayouts } from './builtInLayouts.ts'
import { LayoutCompiler } from './compileLayouts.ts'
import type { Definition } from './language/Definition.ts'
import { LayoutError } from './language/LayoutError.ts'
import { collectLayouts, type LayoutSet, overlayLayouts } from './language/LayoutSet.ts'
import { parseDefinition } from './language/parseDefinition.ts'
import { type LayoutEntry, readLayoutJson } from './language/readLayoutJson.ts'

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
  const place = `line ${line}, types[${at}]`
  const definition = parseDefinition(text.trim(), place)
  if (definition.result === undefined) throw new LayoutError(place, 'a type ends in "= " and its name.')
  return definition
}

const parseMessage = ({ text, line }: LayoutEntry, at: number): Definition => {
  const place = `line ${line}, messages[${at}]`
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
