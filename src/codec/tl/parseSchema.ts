/** Types of TL itself. `shard` is a `long` that our code reads without a sign; `true` is nothing but its bit in a flags word. */
export type TlBuiltin =
  | 'int'
  | '#'
  | 'long'
  | 'shard'
  | 'double'
  | 'int128'
  | 'int256'
  | 'bytes'
  | 'string'
  | 'Bool'
  | 'true'

/** A field by its name in TL and its key in our objects. `Name` is the union of constructor names. */
export type TlField<Name extends string = string> = {
  readonly name: string
  readonly key: string
  /** A type of TL itself, a constructor, or `union`: a value that names its constructor in `kind`. */
  readonly type: TlBuiltin | 'union' | Name
  /** The TL type whose constructor id precedes the value. A bare value has none. */
  readonly boxedType?: string
  readonly isVector?: true
  /** Present only where a bit of a flags word is set. */
  readonly isOptional?: true
  /** That bit, and the key of the flags word. */
  readonly flag?: { readonly key: string; readonly mask: number }
}

/** A row of the table: a constructor or a function. */
export type TlDescription<Name extends string = string> = {
  readonly name: string
  readonly id: number
  readonly isFunction: boolean
  /** The TL type of a constructor, or of a function's answer. */
  readonly resultType: string
  /** The constructor of a function's answer; absent where that is any object. */
  readonly result?: Name
  readonly fields: readonly TlField<Name>[]
}

export type TlSchema = {
  readonly rows: readonly TlDescription[]
  readonly byName: ReadonlyMap<string, TlDescription>
  /** The constructors of each TL type. */
  readonly byType: ReadonlyMap<string, readonly TlDescription[]>
}

const builtins: ReadonlySet<string> = new Set([
  'int',
  '#',
  'long',
  'double',
  'int128',
  'int256',
  'bytes',
  'string',
  'Bool',
  'true',
])

const ROW = /^([0-9a-f]{8}) ([\w.]+?)(?:#[0-9a-f]{8})?(?: ([^=]+))? = ([\w.]+);$/
const FIELD = /^(\w+):(?:(\w+)\.(\d+)\?)?(?:\(vector ([\w.]+)\)|([\w.]+|#))$/

/** Reads the notation of .tl files, each row led by its constructor id. A type has to be defined above its first use. */
export const parseSchema = (types: string, functions: string): TlSchema => {
  const rows: TlDescription[] = []
  const byName = new Map<string, TlDescription>()
  const byType = new Map<string, TlDescription[]>()
  const used = new Set<string>()
  const add = (row: string, isFunction: boolean): void => {
    const [, id, name, fields, resultType] = ROW.exec(row) ?? []
    if (id === undefined || name === undefined || resultType === undefined) {
      throw new Error(`Expected a TL row as "id name fields = Type;", got "${row}".`)
    }
    const result = isFunction && resultType !== 'Object' ? constructorOf(resultType) : undefined
    const description: TlDescription = {
      name,
      id: Number.parseInt(id, 16),
      isFunction,
      resultType,
      ...(result !== undefined && { result }),
      fields: (fields?.match(/(\([^)]*\)|\S)+/g) ?? []).map(parseField),
    }
    if (byName.has(name)) throw new Error(`TL row ${name} is defined twice.`)
    if (!isFunction && used.has(resultType)) throw new Error(`TL type ${resultType} is used above its definition.`)
    rows.push(description)
    byName.set(name, description)
    if (!isFunction) byType.set(resultType, [...(byType.get(resultType) ?? []), description])
  }
  const constructorOf = (type: string): string => {
    const [first, ...others] = byType.get(type) ?? []
    if (first === undefined) throw new Error(`TL type ${type} is used above its definition.`)
    used.add(type)
    return others.length > 0 ? 'union' : first.name
  }
  const parseField = (text: string): TlField => {
    const [, name, word, bit, item, plain] = FIELD.exec(text) ?? []
    const type = item ?? plain
    if (name === undefined || type === undefined) throw new Error(`Expected a TL field as name:type, got "${text}".`)
    return {
      name,
      key: toCamelCase(name),
      ...resolveType(name, type),
      ...(item !== undefined && { isVector: true }),
      ...(word !== undefined && { isOptional: true, flag: { key: toCamelCase(word), mask: 2 ** Number(bit) } }),
    }
  }
  const resolveType = (field: string, type: string): Pick<TlField, 'type' | 'boxedType'> => {
    if (type === 'long' && /(^|_)shard$/.test(field)) return { type: 'shard' }
    if (builtins.has(type)) return { type }
    if (/(^|\.)[A-Z]\w*$/.test(type)) return { type: constructorOf(type), boxedType: type }
    if (byName.get(type)?.isFunction !== false) throw new Error(`TL constructor ${type} is used above its definition.`)
    return { type }
  }
  for (const row of rowsOf(types)) add(row, false)
  for (const row of rowsOf(functions)) add(row, true)
  return { rows, byName, byType }
}

const rowsOf = (text: string): string[] => text.split('\n').filter((row) => row !== '')

/** `to_key_block` is `toKeyBlock` in our objects. */
const toCamelCase = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
