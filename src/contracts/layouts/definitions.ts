import { CodedError } from '../../primitives/errors.ts'

/** One line of a table: a constructor of a type, or (where `result` is absent) the layout of a message body. */
export type Definition = {
  /** '' for a constructor without a name: its object has no `@type`. */
  readonly name: string
  readonly tag: Tag | undefined
  readonly parts: readonly Part[]
  readonly result: ResultType | undefined
  /** For messages about mistakes. */
  readonly location: string
}

export type Tag = { readonly value: number; readonly bits: number }

export type ResultType = { readonly name: string; readonly parameters: readonly string[] }

export type Part = Field | Constraint

export type Field = {
  readonly kind: 'field'
  /** '' for `_`. */
  readonly name: string
  readonly type: TypeExpression
  /** The field is there only if this number is not zero. */
  readonly condition: Condition | undefined
}

export type Condition = { readonly field: string; readonly bit: number | undefined }

export type Constraint = {
  readonly kind: 'constraint'
  readonly field: string
  readonly operator: '<=' | '>=' | '='
  readonly value: number
}

export type TypeExpression =
  | { readonly kind: 'named'; readonly name: string; readonly arguments: readonly TypeExpression[] }
  | { readonly kind: 'number'; readonly value: NumberExpression }
  | { readonly kind: 'ref'; readonly to: TypeExpression }
  | { readonly kind: 'record'; readonly parts: readonly Part[] }

/** A constant, or an earlier field of the same constructor times a constant. */
export type NumberExpression = { readonly field: string | undefined; readonly factor: number }

/** A layout is invalid. `location` is a line of a table, or an entry of a file. */
export class LayoutError extends CodedError {
  readonly code = 'invalid_layout'
  readonly location: string

  constructor(location: string, problem: string, options?: ErrorOptions) {
    super(`${location}: ${problem}`, options)
    this.location = location
  }
}

/** Definitions sorted by what they define. */
export type LayoutSet = {
  /** Message bodies by their opcode: the candidates in the order in which they are tried. */
  readonly messages: ReadonlyMap<number, readonly Definition[]>
  readonly types: ReadonlyMap<string, TypeDefinition>
}

export type TypeDefinition = { readonly parameters: readonly string[]; readonly constructors: readonly Definition[] }

/** Sorts definitions, and refuses those that no body and no type can be read with. */
export const collectLayouts = (definitions: readonly Definition[]): LayoutSet => {
  const messages = new Map<number, Definition[]>()
  const types = new Map<string, { parameters: readonly string[]; constructors: Definition[] }>()
  for (const definition of definitions) {
    if (definition.result === undefined) addMessage(messages, definition)
    else addConstructor(types, definition, definition.result)
  }
  return { messages, types }
}

/** `first`, and of `second` what `first` does not define: an opcode or a type is taken from one of them as a whole. */
export const overlayLayouts = (first: LayoutSet, second: LayoutSet): LayoutSet => ({
  messages: new Map([...second.messages, ...first.messages]),
  types: new Map([...second.types, ...first.types]),
})

const addMessage = (messages: Map<number, Definition[]>, definition: Definition): void => {
  const { name, tag, location } = definition
  if (name === '') throw new LayoutError(location, 'a message needs a name.')
  if (tag?.bits !== 32) throw new LayoutError(location, `the message "${name}" needs an opcode of 8 hex digits.`)
  const candidates = messages.get(tag.value)
  if (candidates === undefined) messages.set(tag.value, [definition])
  else candidates.push(definition)
}

const addConstructor = (
  types: Map<string, { parameters: readonly string[]; constructors: Definition[] }>,
  definition: Definition,
  { name, parameters }: ResultType,
): void => {
  const type = types.get(name)
  if (type === undefined) {
    types.set(name, { parameters, constructors: [definition] })
    return
  }
  if (type.parameters.length !== parameters.length) {
    throw new LayoutError(definition.location, `the constructors of "${name}" differ in their number of parameters.`)
  }
  // Parameters are bound by position; every constructor is compiled under the names of the first.
  if (parameters.some((parameter, at) => parameter !== type.parameters[at])) {
    throw new LayoutError(definition.location, `the constructors of "${name}" name its parameters differently.`)
  }
  type.constructors.push(definition)
}
