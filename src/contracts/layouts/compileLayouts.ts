import { type Frame, type Reader, scalarLength } from './DecodedValue.ts'
import {
  type Constraint,
  type Definition,
  type Field,
  LayoutError,
  type LayoutSet,
  type Part,
  type TypeDefinition,
  type TypeExpression,
} from './definitions.ts'
import { findBuiltIn } from './readers/builtIns.ts'
import {
  alternativesReader,
  conditionalStep,
  constraintStep,
  constructorReader,
  fieldStep,
  keptFieldStep,
  type Step,
} from './readers/constructors.ts'

const MAX_TYPES = 4096
const REFERENCE_TEXT = 19
/** Types within types; the built-in ones go nowhere near. */
const MAX_NESTING = 100

/** A type that stands for a parameter. `key` tells one argument from another. */
type Bound = { readonly read: Reader; readonly key: string }

/** Names that a definition may use besides those of types. */
type Scope = {
  readonly bound: ReadonlyMap<string, Bound>
  /** Where earlier numbers of the constructor are kept. */
  readonly slots: ReadonlyMap<string, number>
  readonly location: string
}

const NO_BOUND: ReadonlyMap<string, Bound> = new Map()
const NO_SLOTS: ReadonlyMap<string, number> = new Map()

/** Turns definitions into readers. Every type is compiled once for each set of arguments it is used with. */
export class LayoutCompiler {
  private readonly layouts: LayoutSet
  private readonly readers = new Map<string, Reader>()
  private nesting = 0

  constructor(layouts: LayoutSet) {
    this.layouts = layouts
  }

  /** Compiles the part of a body after its opcode. */
  compileMessage(definition: Definition): Reader {
    return this.compileConstructor(definition.name, definition.parts, NO_BOUND, definition.location)
  }

  /** A type without parameters, by its name. */
  compileType(name: string): Reader {
    const scope = { bound: NO_BOUND, slots: NO_SLOTS, location: name }
    return this.compile({ kind: 'named', name, arguments: [] }, scope)
  }

  private compileConstructor(name: string, parts: readonly Part[], bound: Scope['bound'], location: string): Reader {
    const kept = findKept(parts)
    const slots = new Map<string, number>()
    const scope: Scope = { bound, slots, location }
    const steps: Step[] = []
    for (const part of parts) {
      if (part.kind === 'constraint') {
        steps.push(constraintStep(this.compileConstraint(part, scope)))
        continue
      }
      const step = this.compileField(part, kept, scope)
      steps.push(step)
      if (kept.has(part.name)) slots.set(part.name, slots.size)
    }
    return constructorReader(name, steps, slots.size)
  }

  private compileField(field: Field, kept: ReadonlySet<string>, scope: Scope): Step {
    const within = field.name === '' ? scope : { ...scope, location: `${scope.location}, field "${field.name}"` }
    const read = this.compile(field.type, within)
    const step = kept.has(field.name) ? keptFieldStep(field.name, read, scope.slots.size) : fieldStep(field.name, read)
    if (field.condition === undefined) return step
    const { field: name, bit } = field.condition
    const slot = findSlot(name, within)
    return conditionalStep(
      bit === undefined ? (frame) => frame[slot] !== 0 : (frame) => ((frame[slot]! >>> bit) & 1) === 1,
      step,
    )
  }

  private compileConstraint({ field, operator, value }: Constraint, scope: Scope): (frame: Frame) => boolean {
    const slot = findSlot(field, scope)
    if (operator === '<=') return (frame) => frame[slot]! <= value
    if (operator === '>=') return (frame) => frame[slot]! >= value
    return (frame) => frame[slot] === value
  }

  private compile(type: TypeExpression, scope: Scope): Reader {
    if (type.kind === 'ref') return this.compileRef(type.to, scope)
    if (type.kind === 'record') return this.compileConstructor('', type.parts, scope.bound, scope.location)
    if (type.kind === 'number') throw new LayoutError(scope.location, 'a number stands where a type was expected.')
    if (type.arguments.length === 0) {
      const bound = scope.bound.get(type.name)
      if (bound !== undefined) return bound.read
    }
    const definition = this.layouts.types.get(type.name)
    if (definition !== undefined) return this.compileDefined(type.name, definition, type.arguments, scope)
    const builtIn = findBuiltIn(type.name, type.arguments, {
      compile: (argument) => this.compileArgument(argument, scope).read,
      compileType: (name) => this.compileType(name),
      number: (argument) => this.compileNumber(argument, scope),
      fail: (problem) => {
        throw new LayoutError(scope.location, problem)
      },
    })
    if (builtIn === undefined) throw new LayoutError(scope.location, `the type "${type.name}" is not known.`)
    return builtIn
  }

  private compileRef(to: TypeExpression, scope: Scope): Reader {
    if (isUntyped(to) && !scope.bound.has(to.name)) return (r, session) => session.readUntypedRef(r)
    const read = this.compile(to, scope)
    return (r, session, frame) => session.readRef(r, read, frame)
  }

  /** As an argument, a reference is shown as an object of its own, unless it is to a cell of no type. */
  private compileArgument(argument: TypeExpression, scope: Scope): Bound {
    const key = describe(argument, scope.bound)
    const read = this.compile(argument, scope)
    if (argument.kind !== 'ref') return { read, key }
    if (isUntyped(argument.to) && !scope.bound.has(argument.to.name)) return { read, key }
    const shown: Reader = (r, session, frame) => {
      const value = read(r, session, frame)
      if (value === undefined || !session.takeText(REFERENCE_TEXT + scalarLength(value))) return undefined
      return { cell_reference: value }
    }
    return { read: shown, key }
  }

  private compileDefined(
    name: string,
    { parameters, constructors }: TypeDefinition,
    given: readonly TypeExpression[],
    scope: Scope,
  ): Reader {
    if (given.length !== parameters.length) {
      throw new LayoutError(
        scope.location,
        `"${name}" takes ${parameters.length} arguments, ${given.length} are given.`,
      )
    }
    const key = [name, ...given.map((argument) => describe(argument, scope.bound))].join(' ')
    const ready = this.readers.get(key)
    if (ready !== undefined) return ready
    if (this.readers.size >= MAX_TYPES) {
      throw new LayoutError(scope.location, `more than ${MAX_TYPES} types come of these definitions.`)
    }
    if (++this.nesting > MAX_NESTING) {
      throw new LayoutError(scope.location, `types contain one another more than ${MAX_NESTING} deep.`)
    }
    // A type may contain itself: until it is compiled, readers reach it through this one.
    let compiled: Reader = () => undefined
    this.readers.set(key, (r, session, frame) => session.readAgain(r, compiled, frame))
    const bound = new Map(given.map((argument, at) => [parameters[at]!, this.compileArgument(argument, scope)]))
    compiled = alternativesReader(
      constructors.map((definition) => ({
        tag: definition.tag,
        isEmpty: definition.parts.length === 0,
        read: this.compileConstructor(definition.name, definition.parts, bound, definition.location),
      })),
    )
    this.readers.set(key, compiled)
    this.nesting--
    return compiled
  }

  private compileNumber(argument: TypeExpression | undefined, scope: Scope): number | ((frame: Frame) => number) {
    if (argument?.kind === 'number') {
      const { field, factor } = argument.value
      if (field === undefined) return factor
      const slot = findSlot(field, scope)
      return (frame) => frame[slot]! * factor
    }
    if (argument?.kind === 'named' && argument.arguments.length === 0) {
      const slot = findSlot(argument.name, scope)
      return (frame) => frame[slot]!
    }
    throw new LayoutError(scope.location, 'a number or the name of an earlier field was expected.')
  }
}

const isUntyped = (type: TypeExpression): type is Extract<TypeExpression, { kind: 'named' }> =>
  type.kind === 'named' && (type.name === 'Cell' || type.name === 'Any')

const findSlot = (field: string, { slots, location }: Scope): number => {
  const slot = slots.get(field)
  if (slot === undefined) throw new LayoutError(location, `the number "${field}" is used before its definition.`)
  return slot
}

/** Names that parts use as numbers. */
const findKept = (parts: readonly Part[]): ReadonlySet<string> => {
  const kept = new Set<string>()
  const visit = (type: TypeExpression): void => {
    if (type.kind === 'ref') visit(type.to)
    else if (type.kind === 'number' && type.value.field !== undefined) kept.add(type.value.field)
    else if (type.kind === 'named') {
      for (const argument of type.arguments) {
        if (argument.kind === 'named' && argument.arguments.length === 0) kept.add(argument.name)
        visit(argument)
      }
    }
  }
  for (const part of parts) {
    if (part.kind === 'constraint') kept.add(part.field)
    else {
      if (part.condition !== undefined) kept.add(part.condition.field)
      visit(part.type)
    }
  }
  return kept
}

const describe = (type: TypeExpression, bound: Scope['bound']): string => {
  switch (type.kind) {
    case 'ref':
      return `^${describe(type.to, bound)}`
    case 'number':
      return `${type.value.field ?? ''}*${type.value.factor}`
    case 'record':
      return JSON.stringify(type.parts)
    case 'named': {
      const own = type.arguments.length === 0 ? bound.get(type.name)?.key : undefined
      return own ?? `(${[type.name, ...type.arguments.map((argument) => describe(argument, bound))].join(' ')})`
    }
  }
}
