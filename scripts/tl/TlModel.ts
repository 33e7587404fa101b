import type { TlBuiltin, TlCombinator, TlField, TlType } from './parseTlSchema.ts'

const builtinBytes: Record<TlBuiltin, number> = {
  int: 4,
  '#': 4,
  long: 8,
  double: 8,
  int128: 16,
  int256: 32,
  bytes: 4,
  string: 4,
  Bool: 4,
  true: 0,
}

/** `tonNode.blockIdExt` and `tonNode.BlockIdExt` are `TonNodeBlockIdExt` in TypeScript. */
export const toPascalCase = (name: string): string =>
  name
    .split('.')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('')

/** `to_key_block` is `toKeyBlock` in TypeScript. */
export const toCamelCase = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Whether a `long` carries a shard, which is unsigned in our code. */
export const isShardField = (field: TlField): boolean => /(^|_)shard$/.test(field.name)

/** The parsed table with its cross references: which constructors a name stands for, and its name in TypeScript. */
export class TlModel {
  readonly combinators: readonly TlCombinator[]
  private readonly byName: ReadonlyMap<string, TlCombinator>
  private readonly byResult: ReadonlyMap<string, readonly TlCombinator[]>

  constructor(combinators: readonly TlCombinator[]) {
    this.combinators = combinators
    this.byName = new Map(combinators.map((c) => [c.name, c]))
    const byResult = new Map<string, TlCombinator[]>()
    for (const c of combinators) {
      if (!c.isFunction) byResult.set(c.resultType, [...(byResult.get(c.resultType) ?? []), c])
    }
    this.byResult = byResult
  }

  getConstructor(name: string): TlCombinator {
    const found = this.byName.get(name)
    if (found === undefined || found.isFunction) throw new Error(`Expected ${name} to be a constructor of the table.`)
    return found
  }

  getConstructorsOf(typeName: string): readonly TlCombinator[] {
    const found = this.byResult.get(typeName)
    if (found === undefined) throw new Error(`Expected ${typeName} to have a constructor in the table.`)
    return found
  }

  /** Whether the type has several constructors, so that its values have to say which they are. */
  isUnion(typeName: string): boolean {
    return this.getConstructorsOf(typeName).length > 1
  }

  hasKind(combinator: TlCombinator): boolean {
    return !combinator.isFunction && this.isUnion(combinator.resultType)
  }

  /** A type of several constructors is `Any…`; one of a single constructor has the name of that. */
  getBoxedTypeName(typeName: string): string {
    const [first] = this.getConstructorsOf(typeName) as readonly [TlCombinator]
    return this.isUnion(typeName) ? `Any${toPascalCase(typeName)}` : toPascalCase(first.name)
  }

  /** The fewest bytes a value can take, by which the count of a vector is judged. */
  getMinBytes(type: TlType): number {
    switch (type.form) {
      case 'builtin':
        return builtinBytes[type.name]
      case 'vector':
        return 4
      case 'bare':
        return this.getMinFieldBytes(this.getConstructor(type.name))
      case 'boxed':
        return 4 + Math.min(...this.getConstructorsOf(type.name).map((c) => this.getMinFieldBytes(c)))
    }
  }

  private getMinFieldBytes(combinator: TlCombinator): number {
    return combinator.fields.reduce((sum, f) => sum + (f.flag === undefined ? this.getMinBytes(f.type) : 0), 0)
  }
}
